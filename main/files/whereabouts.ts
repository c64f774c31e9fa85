import { lstat, readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { toKey } from './paths.ts';

/**
 * Returns a source's ledger path. Only macOS takes the Unicode forms of a name for one; elsewhere they are
 * different entries.
 */
export function sourcePath(place: string): string {
  if (place === '') return '.';
  return process.platform === 'darwin' ? toKey(place) : place;
}

/** Disk access. Tests pass a case-insensitive disk. */
export interface NamesOnDisk {
  readonly lstat: (path: string) => Promise<unknown>;
  readonly readdir: (path: string) => Promise<readonly string[]>;
}

const theDisk: NamesOnDisk = { lstat: (path) => lstat(path), readdir: (path) => readdir(path) };

/** `other-case`: the path exists, spelled as in `asNow`. */
export type Whereabouts = boolean | 'other-case';

export const isOtherCase = (path: string, otherPath: string): boolean =>
  path !== otherPath && path.toLowerCase() === otherPath.toLowerCase();

/**
 * Whether a path exists with this spelling: a case-insensitive disk also finds `Flight` after a rename to
 * `flight`.
 *
 * @param path relative to the folder, `/`-separated
 * @param currentPath the path of an existing source, in the disk's spelling
 */
export async function whereaboutsOf(
  folder: string,
  path: string,
  currentPath: string,
  disk: NamesOnDisk = theDisk,
): Promise<Whereabouts> {
  try {
    await disk.lstat(join(folder, path));
  } catch {
    return false;
  }
  if (!isOtherCase(path, currentPath)) return true;
  return (await isSpelledSo(folder, path, disk)) ? true : 'other-case';
}

async function isSpelledSo(folder: string, path: string, disk: NamesOnDisk): Promise<boolean> {
  let way = '';
  for (const name of path.split('/')) {
    const names = await disk.readdir(join(folder, way)).catch(() => []);
    const spelled = names.find((entry) => sourcePath(entry) === name);
    if (spelled === undefined) return false;
    way = posix.join(way, spelled);
  }
  return true;
}

/** Whether all of these absolute paths exist. */
export async function areThere(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if (!(await lstat(path).catch(() => null))) return false;
  return true;
}
