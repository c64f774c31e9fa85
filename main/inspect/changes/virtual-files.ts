import type { System } from '../crs/systems.ts';
import { wktOf } from '../crs/wkt.ts';
import { canBeTold } from '../formats/systems/coordinate-system.ts';
import { extensionOf } from '../headers/choose.ts';

/**
 * What tells a file's coordinate system where the file can't be touched: a small file beside it, which exists
 * in the upload alone, or an option of the whole asset (service-facts.md: `inputCrs`).
 */
export type SystemTeller =
  | { readonly kind: 'pam' | 'prj'; readonly key: string }
  | { readonly kind: 'option' };

const option = new Set(['las', 'laz', 'obj', 'dae', 'gltf', 'glb', 'fbx']);
const pam = new Set(['tif', 'tiff', 'jpg', 'jpeg', 'png', 'flt']);

/** Null for formats that take it from nowhere but themselves (measured with GDAL 3.6). */
export function tellerOf(key: string): SystemTeller | null {
  const ending = extensionOf(key);
  if (pam.has(ending)) return { kind: 'pam', key: `${key}.aux.xml` };
  if (ending === 'asc') return { kind: 'prj', key: key.replace(/asc$/i, 'prj') };
  return option.has(ending) ? { kind: 'option' } : null;
}

/**
 * What the file beside it holds. GDAL takes a code in a PAM file, and WKT alone in a `.prj`.
 *
 * @returns null for a system that WKT 1 can't say, in a `.prj`
 */
export async function contentOf(kind: 'pam' | 'prj', system: System): Promise<string | null> {
  return kind === 'prj' ? wktOf(system) : pamOf(`EPSG:${system.code}`);
}

/**
 * What the file beside it holds, where a system is told by its own well-known text, of OGC or ESRI (GDAL
 * 3.6). A `.prj` that holds one is read already.
 *
 * @returns null for what is no system of the earth, in a `.prj`
 */
export function contentOfWkt(kind: 'pam' | 'prj', wkt: string): string | null {
  return kind === 'pam' && canBeTold(wkt) ? pamOf(wkt.trim()) : null;
}

const pamOf = (srs: string): string => `<PAMDataset><SRS>${escaped(srs)}</SRS></PAMDataset>\n`;
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
