import { constants, gunzipSync } from 'node:zlib';
import { zipEnd } from '../archives/zip.ts';
import type { FileBytes } from '../base/file-bytes.ts';
import type { Opened } from '../base/format.ts';

/** Gaussian splats: points with shape, opacity and view-dependent colours. */
export interface SplatHead {
  readonly kind: 'splats';
}

export const splatHead: SplatHead = { kind: 'splats' };

/** Unique to splats, as the first programs named them. */
const splatProperties = ['f_dc_0', 'rot_0', 'scale_0', 'opacity'];

export const isSplatCloud = (names: readonly string[]): boolean =>
  splatProperties.every((property) => names.includes(property));

const probeLength = 512;

/** SPZ: gzipped up to version 3, then uncompressed. */
export async function readSpz(file: FileBytes): Promise<Opened<SplatHead>> {
  const bytes = await file.readStart(probeLength);
  const isSpz =
    bytes.toString('latin1', 0, 4) === 'NGSP' || unzipStart(bytes).toString('latin1', 0, 4) === 'NGSP';
  return { head: isSpz ? splatHead : null, end: () => null, degree: 'no-reader' };
}

function unzipStart(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 64 * 1024 });
  } catch {
    return Buffer.alloc(0);
  }
}

/** SOG: an archive of pictures and a description. */
export async function readSog(file: FileBytes): Promise<Opened<SplatHead>> {
  return { head: (await file.startsWith('PK')) ? splatHead : null, end: zipEnd, degree: 'names-only' };
}

/** `.splat` and `.ksplat` have no magic number, so the extension decides. */
export async function readSplat(): Promise<Opened<SplatHead>> {
  return { head: splatHead, end: () => null, degree: 'no-reader' };
}
