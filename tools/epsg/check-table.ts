import { metresBetween } from '../../main/inspect/crs/distance.ts';
import { toLonLat } from '../../main/inspect/crs/lon-lat.ts';
import { loadSystems } from '../../main/inspect/crs/systems.ts';
import type { RawTable } from './make-table.ts';

const farMetres = 1_000;

/** Compares the shipped table with PROJ at all points of all projected and geographic 2D systems. */
export async function checkTable({ systems }: RawTable) {
  const { systemByCode } = await loadSystems();
  const flat = systems.filter(({ points }) => points !== undefined);
  const missingCodes = flat.filter(({ code }) => systemByCode(code) === null).map(({ code }) => code);
  const wrongCodes = new Set<number>();
  let [points, within10m, within1km, placedCount] = [0, 0, 0, 0];
  for (const { code, points: samplePoints = [] } of flat) {
    const system = systemByCode(code);
    const place = system && toLonLat(system);
    if (place) placedCount += 1;
    for (const point of samplePoints) {
      if (!point) continue;
      const [x, y, lon, lat] = point;
      const foundPoint = place?.(x, y) ?? null;
      const metres = foundPoint ? metresBetween(foundPoint, [lon, lat]) : null;
      points += 1;
      if (metres !== null && metres <= 10) within10m += 1;
      if (metres !== null && metres <= farMetres) within1km += 1;
      if (metres !== null && metres > farMetres) wrongCodes.add(code);
    }
  }
  return {
    ...{ systems: flat.length, missing: missingCodes, placed: placedCount, points },
    ...{ within10m: within10m / points, within1km: within1km / points, wrong: [...wrongCodes] },
  };
}
