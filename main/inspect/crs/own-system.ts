import type { LonLat } from '../../../shared/source.ts';
import type { NamedSystem } from '../formats/systems/coordinate-system.ts';
import { metresBetween } from './distance.ts';
import { type ToLonLat, toLonLat } from './lon-lat.ts';
import { codeOf, type System, type Systems } from './systems.ts';

const plain = '+proj=longlat ';

/**
 * Returns the conversion for a file's own definition (`NamedSystem.definition`), or null. Resolves its EPSG
 * base.
 */
export function ownWay(definition: string, systemOf: Systems['systemOf']): ToLonLat | null {
  const [base, code] = /\+base=(\d+)/.exec(definition) ?? [];
  if (base === undefined) return toLonLat({ definition });
  const earth = systemOf(Number(code))?.definition;
  if (!earth?.startsWith(plain)) return null;
  const words = earth.slice(plain.length);
  // Only the base system uses grads; its projections use degrees.
  const fitting = definition.startsWith(plain) ? words : words.replace(/ \+to_degree=\S+/, '');
  return toLonLat({ definition: definition.replace(base, fitting) });
}

/** Returns the conversion for an EPSG system. The file's unit has priority, as in GDAL. */
export function wayIn(system: System, unit: number | undefined): ToLonLat | null {
  const { definition } = system;
  if (unit === undefined || definition === null || isAlike(unitOf(definition), unit, 1e-9))
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
  if (unit === undefined || !definition || definition.startsWith(plain)) return null;
  const [own, said] = [wordOf(unitOf(definition)), wordOf(unit)];
  return own !== said && said !== null ? own : null;
}

const [foot, surveyFoot] = [0.3048, 1_200 / 3_937];
const isAlike = (one: number, other: number, by: number): boolean => Math.abs(one - other) < by;
const wordOf = (unit: number): 'metre' | 'foot' | null =>
  isAlike(unit, 1, 1e-3) ? 'metre' : isAlike(unit, foot, 1e-3) ? 'foot' : null;

function unitOf(definition: string): number {
  const word = /\+(?:units|to_meter)=(\S+)/.exec(definition)?.[1] ?? 'm';
  const size = word === 'us-ft' ? surveyFoot : word === 'ft' ? foot : word === 'm' ? 1 : Number(word);
  const known = [1, foot, surveyFoot].find((one) => isAlike(one, size, 1e-9));
  return known ?? size;
}

const sameMetres = 100;

/**
 * Finds the EPSG system by its code, or by its name if the file's definition puts a corner in the same place.
 */
export function systemMeant(
  { system, definition }: Pick<NamedSystem, 'system' | 'definition'>,
  corner: LonLat | undefined,
  { systemOf, systemNamed }: Pick<Systems, 'systemOf' | 'systemNamed'>,
): System | null {
  const coded = systemOf(codeOf(system));
  if (coded || system === null || definition === undefined || !corner) return coded;
  const named = systemNamed(system);
  const own = named && ownWay(definition, systemOf)?.(...corner);
  const known = named && toLonLat(named)?.(...corner);
  return own && known && metresBetween(own, known) <= sameMetres ? named : null;
}
