import { extensionOf } from '../heads/choose.ts';
import type { System } from '../place/systems.ts';
import { wktOf } from '../place/wkt.ts';

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
  if (kind === 'prj') return wktOf(system);
  return `<PAMDataset><SRS>EPSG:${system.code}</SRS></PAMDataset>\n`;
}
