import type { Calls } from '../../preload/contract.ts';
import { packFootprints } from '../../shared/source.ts';
import { tile } from '../samples/sample-sources.ts';

/** Degrees between two UTM zones. */
const zoneWidth = 6;
/** The zone of Hannover. */
const zone = 25832;

/** Places files near Hannover in EPSG:25832, and to its east in the next zones; except `ortho_03.tif`. */
export function placeAs({
  system,
  files,
}: Calls['source.placeAs']['input']): Calls['source.placeAs']['output'] {
  const keys = 'keys' in files ? files.keys : [];
  const east = typeof system === 'number' ? (system - zone) * zoneWidth : 0;
  const placedKeys = keys.filter((key) => !key.endsWith('ortho_03.tif'));
  const footprints = placedKeys.map((key, index) => ({
    ...tile(index, 9.68 + 0.0147 * index + east, 52.37),
    key,
  }));
  return { footprints: packFootprints(footprints), unplaced: keys.length - placedKeys.length };
}
