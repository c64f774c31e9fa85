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
  below: readonly string[],
  made: MadeFolder[],
): Promise<HeldFolder> {
  const place = pathBelow(folder, target);
  if (place !== null) {
    const names = place === '' ? [] : place.split('/');
    return holdFolder(folder, [...names, ...below], { made });
  }
  const base = await nearestThere(target);
  const missing = base === target ? [] : relative(base, target).split(sep);
  return holdFolder(base, [...missing, ...below], { made });
}

async function nearestThere(path: string): Promise<string> {
  const above = dirname(path);
  const base = above === path ? path : await nearestThere(above);
  if (base !== above && above !== path) return base;
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
  const me = process.geteuid?.();
  if (me === undefined || !stats.isSymbolicLink() || stats.uid === me || stats.uid === 0) return;
  throw new InTheWay(`${path} is a link of another user`);
}
