import { constants, gunzipSync } from 'node:zlib';
import { zipEnd } from '../archives/zip.ts';
import type { FileBytes } from '../base/file-bytes.ts';
import type { Opened } from '../base/format.ts';

/** Gaussian splats: points with a shape, an opacity and colours that depend on the view. */
export interface SplatHead {
  readonly kind: 'splats';
}

export const splats: SplatHead = { kind: 'splats' };

/** Properties that only the vertices of splats have, as the first programs named them and others still do. */
const properties = ['f_dc_0', 'rot_0', 'scale_0', 'opacity'];

export const isOfSplats = (names: readonly string[]): boolean =>
  properties.every((property) => names.includes(property));

const beginning = 512;

/** SPZ: packed by gzip up to version 3, or with the same mark in the open. */
export async function readSpz(file: FileBytes): Promise<Opened<SplatHead>> {
  const bytes = await file.first(beginning);
  const isSpz =
    bytes.toString('latin1', 0, 4) === 'NGSP' || unpacked(bytes).toString('latin1', 0, 4) === 'NGSP';
  return { head: isSpz ? splats : null, end: () => null };
}

function unpacked(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 64 * 1024 });
  } catch {
    return Buffer.alloc(0);
  }
}

/** SOG: an archive of pictures and a description. */
export async function readSog(file: FileBytes): Promise<Opened<SplatHead>> {
  return { head: (await file.begins('PK')) ? splats : null, end: zipEnd };
}

/** `.splat` has no header, and `.ksplat` no mark in its own: the extension alone tells. */
export async function readSplat(): Promise<Opened<SplatHead>> {
  return { head: splats, end: () => null };
}
