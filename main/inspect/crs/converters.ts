import type { LonLat } from '../../../shared/source.ts';
import type { NamedSystem } from '../formats/systems/coordinate-system.ts';
import { metresBetween } from './distance.ts';
import { type ToLonLat, toLonLat } from './lon-lat.ts';
import { codeOf, type System, type Systems } from './systems.ts';

const geographicPrefix = '+proj=longlat ';

/**
 * Returns the conversion for a file's own definition (`NamedSystem.definition`), or null. Resolves its EPSG
 * base.
 */
export function converterOfDefinition(
  definition: string,
  systemByCode: Systems['systemByCode'],
): ToLonLat | null {
  const [base, code] = /\+base=(\d+)/.exec(definition) ?? [];
  if (base === undefined) return toLonLat({ definition });
  const earth = systemByCode(Number(code))?.definition;
  if (!earth?.startsWith(geographicPrefix)) return null;
  const earthParameters = earth.slice(geographicPrefix.length);
  // Only the base system uses grads; its projections use degrees.
  const baseParameters = definition.startsWith(geographicPrefix)
    ? earthParameters
    : earthParameters.replace(/ \+to_degree=\S+/, '');
  return toLonLat({ definition: definition.replace(base, baseParameters) });
}

/** Returns the conversion for an EPSG system. The file's unit has priority, as in GDAL. */
export function converterOfSystem(system: System, unit: number | undefined): ToLonLat | null {
  const { definition } = system;
  if (unit === undefined || definition === null || isClose(unitOf(definition), unit, 1e-9))
    return toLonLat(system);
  return toLonLat({ definition: definition.replace(/\+(?:units|to_meter)=\S+/, `+to_meter=${unit}`) });
}

/**
 * The system's unit if the file contradicts it, else null. All feet are alike; other units aren't compared.
 */
export function contradictedUnit(
  { definition }: Pick<System, 'definition'>,
  unit: number | undefined,
): 'metre' | 'foot' | null {
  if (unit === undefined || !definition || definition.startsWith(geographicPrefix)) return null;
  const [systemUnit, fileUnit] = [unitName(unitOf(definition)), unitName(unit)];
  return systemUnit !== fileUnit && fileUnit !== null ? systemUnit : null;
}

const [footMetres, surveyFootMetres] = [0.3048, 1_200 / 3_937];
const isClose = (value: number, target: number, tolerance: number): boolean =>
  Math.abs(value - target) < tolerance;
const unitName = (unit: number): 'metre' | 'foot' | null =>
  isClose(unit, 1, 1e-3) ? 'metre' : isClose(unit, footMetres, 1e-3) ? 'foot' : null;

function unitOf(definition: string): number {
  const unitToken = /\+(?:units|to_meter)=(\S+)/.exec(definition)?.[1] ?? 'm';
  const size =
    unitToken === 'us-ft'
      ? surveyFootMetres
      : unitToken === 'ft'
        ? footMetres
        : unitToken === 'm'
          ? 1
          : Number(unitToken);
  const namedUnit = [1, footMetres, surveyFootMetres].find((unit) => isClose(unit, size, 1e-9));
  return namedUnit ?? size;
}

const maxMetresApart = 100;

/**
 * Finds the EPSG system by its code, or by its name if the file's definition puts a corner in the same place.
 */
export function resolveSystem(
  { system, definition }: Pick<NamedSystem, 'system' | 'definition'>,
  corner: LonLat | undefined,
  { systemByCode, systemByName }: Pick<Systems, 'systemByCode' | 'systemByName'>,
): System | null {
  const coded = systemByCode(codeOf(system));
  if (coded || system === null || definition === undefined || !corner) return coded;
  const candidate = systemByName(system);
  const filePoint = candidate && converterOfDefinition(definition, systemByCode)?.(...corner);
  const candidatePoint = candidate && toLonLat(candidate)?.(...corner);
  return filePoint && candidatePoint && metresBetween(filePoint, candidatePoint) <= maxMetresApart
    ? candidate
    : null;
}
