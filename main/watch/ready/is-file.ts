import { lstat } from 'node:fs/promises';

/** A plain file; no link is followed. What can't be asked is not there yet. */
export async function isFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
