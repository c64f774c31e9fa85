import type { System } from '../crs/systems.ts';
import { wktOf } from '../crs/wkt.ts';
import { isAssignableWkt } from '../formats/systems/coordinate-system.ts';
import { extensionOf } from '../headers/choose.ts';

/**
 * How to assign a system without touching the file: a virtual sidecar, or an option of the asset
 * (service-facts.md: `inputCrs`).
 */
export type SystemTeller =
  | { readonly kind: 'pam' | 'prj'; readonly key: string }
  | { readonly kind: 'option' };

const option = new Set(['las', 'laz', 'obj', 'dae', 'gltf', 'glb', 'fbx']);
const pam = new Set(['tif', 'tiff', 'jpg', 'jpeg', 'png', 'flt']);

/** Null for formats without an external system (measured with GDAL 3.6). */
export function tellerOf(key: string): SystemTeller | null {
  const extension = extensionOf(key);
  if (pam.has(extension)) return { kind: 'pam', key: `${key}.aux.xml` };
  if (extension === 'asc') return { kind: 'prj', key: key.replace(/asc$/i, 'prj') };
  return option.has(extension) ? { kind: 'option' } : null;
}

/**
 * Returns a sidecar's content. GDAL accepts a code in a PAM file, but only WKT in a `.prj`.
 *
 * @returns null if WKT 1 can't express the system, in a `.prj`
 */
export async function contentOf(kind: 'pam' | 'prj', system: System): Promise<string | null> {
  return kind === 'prj' ? wktOf(system) : pamOf(`EPSG:${system.code}`);
}

/**
 * Returns a sidecar's content for OGC or ESRI WKT (GDAL 3.6).
 *
 * @returns null for `.prj`, since an existing one is read anyway, and unless `isAssignableWkt`
 */
export function contentOfWkt(kind: 'pam' | 'prj', wkt: string): string | null {
  return kind === 'pam' && isAssignableWkt(wkt) ? pamOf(wkt.trim()) : null;
}

const pamOf = (srs: string): string => `<PAMDataset><SRS>${escaped(srs)}</SRS></PAMDataset>\n`;
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
