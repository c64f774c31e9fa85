import type { FindingId, Fix } from '../../../shared/findings.ts';
import { tellerOf } from '../changes/virtual-files.ts';
import { systemOfWkt } from '../formats/systems/coordinate-system.ts';

/** Context of a finding; EPSG codes are of 2D systems. */
interface Hints {
  readonly endings: Iterable<string>;
  /** Systems that sidecar files name without effect: distinct codes, or WKT. */
  readonly besideSystems: ReadonlySet<number | string>;
  /** The system that most files name, or null. */
  readonly commonest: number | null;
}

/** Fixes that depend only on the finding. */
const plain: { readonly [Id in FindingId]?: Fix } = {
  empty: { kind: 'leave-out' },
  'cut-off': { kind: 'leave-out' },
  unfinished: { kind: 'leave-out' },
  'broken-json': { kind: 'leave-out' },
  'lfs-pointer': { kind: 'leave-out' },
  'web-page': { kind: 'leave-out' },
  'server-error': { kind: 'leave-out' },
  'wrong-format': { kind: 'leave-out' },
  'not-filled': { kind: 'leave-out' },
  'zip-damaged': { kind: 'leave-out' },
  'zip-encrypted': { kind: 'leave-out' },
  'only-no-data': { kind: 'leave-out' },
  'hardly-heights': { kind: 'switch', sourceType: 'RASTER_IMAGERY' },
  'city-foreign': { kind: 'leave-out' },
  'city-no-geometry': { kind: 'leave-out' },
  'city-only-terrain': { kind: 'leave-out' },
  'terrain-of-colours': { kind: 'switch', sourceType: 'RASTER_IMAGERY' },
  'terrain-of-bytes': { kind: 'switch', sourceType: 'RASTER_IMAGERY' },
  'imagery-of-heights': { kind: 'switch', sourceType: 'RASTER_TERRAIN' },
  'kml-no-models': { kind: 'switch', sourceType: 'KML_FEATURES' },
  'no-vertical': { kind: 'option', option: 'heightReference' },
  'mixed-kinds': { kind: 'split' },
  'mixed-systems': { kind: 'split' },
};
const longestName = 100;
const unassigned: ReadonlySet<FindingId> = new Set([
  'no-system-raster',
  'no-system-points',
  'coarse-coordinates',
  'large-coordinates',
]);

/**
 * Returns the fix, or null. A system can be assigned if every affected format accepts one from outside;
 * sidecar files decide if they agree.
 */
export function fixOf(id: FindingId, { endings, besideSystems, commonest }: Hints): Fix | null {
  if (!unassigned.has(id)) return plain[id] ?? null;
  if ([...endings].some((extension) => tellerOf(`a.${extension}`) === null)) return null;
  const [besideSystem = null, ...otherSystems] = besideSystems;
  if (typeof besideSystem === 'string' && otherSystems.length === 0)
    return inWords(besideSystem, [...endings]);
  const epsg =
    otherSystems.length > 0 || typeof besideSystem === 'string' ? null : (besideSystem ?? commonest);
  return epsg === null ? { kind: 'assign' } : { kind: 'assign', epsg };
}

/** Asset options accept only a code. */
function inWords(wkt: string, endings: readonly string[]): Fix {
  const isForAll = endings.every((extension) => tellerOf(`a.${extension}`)?.kind === 'pam');
  return isForAll
    ? { kind: 'assign-wkt', wkt, name: (systemOfWkt(wkt).system ?? '').slice(0, longestName) }
    : { kind: 'assign' };
}
