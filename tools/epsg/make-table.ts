import { metresBetween } from '../../main/inspect/crs/distance.ts';
import { toLonLat } from '../../main/inspect/crs/lon-lat.ts';
import type { Table } from '../../main/inspect/crs/systems.ts';
import type { LonLat } from '../../shared/source.ts';

/** Output of read-proj.py. */
export interface RawTable {
  readonly proj: string;
  readonly epsg: string;
  readonly systems: readonly RawSystem[];
}

/** Coordinates in the system (east first), and PROJ's position for them. */
type Point = readonly [x: number, y: number, lon: number, lat: number];

interface RawSystem {
  readonly code: number;
  readonly kind: 'projected' | 'geographic 2D' | 'geographic 3D' | 'geocentric' | 'compound';
  readonly name: string;
  readonly area: string;
  readonly box: readonly number[];
  /** `EN` or `NE`. */
  readonly axes: string;
  readonly definition?: string;
  /** 3D and compound systems: code of the horizontal system. */
  readonly horizontal?: number;
  /** Deprecated systems: code of the successor; 0 if there is none, or several. */
  readonly successor?: number;
  /** The first three become the oracle; null if PROJ has no result. */
  readonly points?: readonly (Point | null)[];
}

/** A position further off is wrong, so the table omits the definition. */
const farMetres = 1000;
const keptDecimals = 3;
const letters = {
  projected: 'P',
  'geographic 2D': 'G',
  'geographic 3D': 'T',
  geocentric: 'C',
  compound: 'K',
} as const;

/** Makes the shipped table and its test's oracle, and measures the accuracy. */
export function makeTable({ proj, epsg, systems }: RawTable) {
  const areas = new Map<string, number>();
  const areaOf = ({ box, area }: RawSystem) => {
    const row = [...box, area.replace(/\.$/, '')].join('|');
    if (!areas.has(row)) areas.set(row, areas.size);
    return areas.get(row) ?? 0;
  };
  const judgedSystems = systems.map((system) => ({ system, ...judge(system) }));
  const table: Table & Pick<RawTable, 'proj' | 'epsg'> = {
    proj,
    epsg,
    systems: judgedSystems.map(({ system, isRight }) => {
      const ownDefinition = isRight && !system.successor ? system.definition : undefined;
      const definition = system.horizontal ?? ownDefinition ?? '';
      const { code, kind, axes, name } = system;
      const successorCells = system.successor === undefined ? [] : [system.successor || ''];
      return [code, letters[kind], axes, areaOf(system), name, definition, ...successorCells].join('|');
    }),
    areas: [...areas.keys()],
  };
  const oracle = judgedSystems.flatMap(({ system: { code, points } }) =>
    points ? [[code, ...points.slice(0, keptDecimals).map((point) => point?.join(' ') ?? '')].join('|')] : [],
  );
  return { table, oracle, figures: count(judgedSystems) };
}

interface JudgedSystem {
  readonly system: RawSystem;
  /** Metres between PROJ's position and ours at each point with a PROJ result; null for *place unknown*. */
  readonly distances: readonly (number | null)[];
  readonly isRight: boolean;
}

function judge({ definition, points = [] }: RawSystem): Omit<JudgedSystem, 'system'> {
  const place = definition === undefined ? null : toLonLat({ definition });
  const distances = points.map((point) => {
    const foundPoint = point && place ? place(point[0], point[1]) : null;
    return foundPoint && point ? metresBetween(foundPoint, [point[2], point[3]] as LonLat) : null;
  });
  return {
    distances,
    isRight: place !== null && distances.every((distance) => distance === null || distance <= farMetres),
  };
}

function count(judgedSystems: readonly JudgedSystem[]) {
  const flat = judgedSystems.filter(({ system }) => system.points !== undefined);
  const allDistances = flat.flatMap(({ distances, isRight, system }) =>
    distances
      .slice(0, keptDecimals)
      .flatMap((distance, index) => (system.points?.[index] ? [isRight ? distance : null] : [])),
  );
  const shareWithin = (maxMetres: number) =>
    allDistances.filter((distance) => distance !== null && distance <= maxMetres).length /
    allDistances.length;
  return {
    systems: flat.length,
    withPlace: flat.filter(({ isRight }) => isRight).length,
    points: allDistances.length,
    within1m: shareWithin(1),
    within10m: shareWithin(10),
    within1km: shareWithin(farMetres),
    placeUnknown: flat
      .filter(({ isRight }) => !isRight)
      .map(({ system: { code, name } }) => `${code} ${name}`),
  };
}
