import { lstat, readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { toKey } from '../../files/paths.ts';

/** What is asked of the disk. Tests hand in one that doesn't tell case. */
export interface NamesOnDisk {
  readonly lstat: (path: string) => Promise<unknown>;
  readonly readdir: (path: string) => Promise<readonly string[]>;
}

const theDisk: NamesOnDisk = { lstat: (path) => lstat(path), readdir: (path) => readdir(path) };

/**
 * Whether something is there. `other-case`: it does, but what is called like this but for case is called as
 * `asNow` says.
 */
export type Whereabouts = boolean | 'other-case';

export const isOtherCase = (one: string, other: string): boolean =>
  one !== other && one.toLowerCase() === other.toLowerCase();

/**
 * Whether anything is at a path of a folder, asked where something else is called almost like it: a disk that
 * doesn't tell case says that `Flight` is there when it was renamed to `flight`.
 *
 * @param path relative to the folder, `/`-separated
 * @param asNow the path of a source that is there, as the disk spells it
 */
export async function whereaboutsOf(
  folder: string,
  path: string,
  asNow: string,
  disk: NamesOnDisk = theDisk,
): Promise<Whereabouts> {
  try {
    await disk.lstat(join(folder, path));
  } catch {
    return false;
  }
  if (!isOtherCase(path, asNow)) return true;
  return (await isSpelledSo(folder, path, disk)) ? true : 'other-case';
}

async function isSpelledSo(folder: string, path: string, disk: NamesOnDisk): Promise<boolean> {
  let way = '';
  for (const name of path.split('/')) {
    const names = await disk.readdir(join(folder, way)).catch(() => []);
    const spelled = names.find((one) => toKey(one) === name);
    if (spelled === undefined) return false;
    way = posix.join(way, spelled);
  }
  return true;
}
