import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PartOrder } from '../../../main/storage/storage.ts';

/** Writes a file and returns the order that sends it as a whole. */
export async function orderWholeFile(
  folder: string,
  key: string,
  bytes: string | Uint8Array,
): Promise<PartOrder> {
  const path = join(folder, encodeURIComponent(key));
  await writeFile(path, bytes);
  return orderOf(path, key);
}

/** The order that sends an existing file as a whole. */
export async function orderOf(path: string, key: string): Promise<PartOrder> {
  const { mtimeMs, size } = await stat(path);
  const part = { uploadId: null, number: 1, offset: 0, length: size };
  return { path, size, mtimeMs, key, ...part, mayCarryCrc32: true, adoptable: null };
}
