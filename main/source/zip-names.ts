import { open } from 'node:fs/promises';
import { readFlags } from './file-identity.ts';
import { FileBytes, readSome } from './formats/file-bytes.ts';
import { longestDirectory, zipNames } from './formats/zip.ts';

/**
 * The names in a zip file's directory; none when the file is no zip or can't be read: they only serve a
 * guess, so a file that doesn't give them is no error here.
 */
export async function readZipNames(path: string): Promise<readonly string[]> {
  try {
    await using handle = await open(path, readFlags);
    const { size } = await handle.stat();
    return await zipNames(new FileBytes(size, readSome(handle), 2 * longestDirectory));
  } catch {
    return [];
  }
}
