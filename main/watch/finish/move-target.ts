import { lstat } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import { hasCode } from '../../errno.ts';
import { pathBelow } from '../../files/paths.ts';
import { type HeldFolder, holdFolder, InTheWay, type MadeFolder } from '../scan/folder/held-folder.ts';

/**
 * Holds a folder below the target; creates both if missing. Follows no link in the watched folder, because
 * other users may write there. Links to a target outside are the user's own; those of other users are
 * refused.
 *
 * @throws InTheWay, or the system's errors
 */
export async function holdTarget(
  folder: string,
  target: string,
  subfolders: readonly string[],
  madeFolders: MadeFolder[],
): Promise<HeldFolder> {
  const place = pathBelow(folder, target);
  if (place !== null) {
    const names = place === '' ? [] : place.split('/');
    return holdFolder(folder, [...names, ...subfolders], { madeFolders });
  }
  const base = await nearestThere(target);
  const missing = base === target ? [] : relative(base, target).split(sep);
  return holdFolder(base, [...missing, ...subfolders], { madeFolders });
}

async function nearestThere(path: string): Promise<string> {
  const parent = dirname(path);
  const base = parent === path ? path : await nearestThere(parent);
  if (base !== parent && parent !== path) return base;
  try {
    await refuseForeignLink(path);
    return path;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return base;
    throw error;
  }
}

async function refuseForeignLink(path: string): Promise<void> {
  const stats = await lstat(path);
  const userId = process.geteuid?.();
  if (userId === undefined || !stats.isSymbolicLink() || stats.uid === userId || stats.uid === 0) return;
  throw new InTheWay(`${path} is a link of another user`);
}
