import { type BigIntStats, constants } from 'node:fs';
import { lstat, open, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import { hasCode } from '../errno.ts';
import { carefully, entryAt, type HeldFolder, holdFolder, InTheWay, type MadeFolder } from './held-folder.ts';
import { pathBelow } from './paths.ts';

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

/** An entry of a held folder. */
export interface HeldPlace {
  readonly folder: HeldFolder;
  readonly name: string;
}

/**
 * Renaming overwrites files on every system, so a file reserves the name. Windows is an exception, because a
 * virus scanner would keep that file open.
 */
const keepsPlace = process.platform !== 'win32';

/**
 * Renames a file or folder without overwriting anything. Refuses links, pipes and devices. Moves back an
 * entry that replaced it during the move.
 *
 * @param mark text of the file that reserves the name; `isMark` recognises it after a kill
 */
export async function moveEntry(origin: HeldPlace, destination: HeldPlace, mark: string): Promise<void> {
  const originStats = await entryAt(origin.folder, origin.name);
  if (!originStats) throw new Error(`${origin.name} is gone`);
  if (!originStats.isFile() && !originStats.isDirectory())
    throw new Error(`${origin.name} is neither file nor folder`);
  await origin.folder.check();
  await destination.folder.check();
  if (originStats.isFile() && keepsPlace) await renameOverMark(origin, destination, mark);
  else {
    // A folder can only replace an empty folder.
    if (await entryAt(destination.folder, destination.name)) throw nameTakenError(destination);
    await rename(origin.folder.entryPath(origin.name), destination.folder.entryPath(destination.name));
  }
  const movedStats = await entryAt(destination.folder, destination.name);
  await origin.folder.check();
  await destination.folder.check();
  if (movedStats && isSame(originStats, movedStats)) return;
  if (movedStats && !(await entryAt(origin.folder, origin.name)))
    await rename(destination.folder.entryPath(destination.name), origin.folder.entryPath(origin.name));
  throw new Error(`${origin.name} was another one when it was moved`);
}

async function renameOverMark(origin: HeldPlace, destination: HeldPlace, mark: string): Promise<void> {
  const place = destination.folder.entryPath(destination.name);
  await writeFile(place, mark, { flag: 'wx', mode: 0o600 }).catch((error) => {
    throw hasCode(error, 'EEXIST') ? nameTakenError(destination) : error;
  });
  try {
    if (!(await isMark(destination, mark))) throw nameTakenError(destination);
    await rename(origin.folder.entryPath(origin.name), place);
  } catch (error) {
    await removeMark(destination, mark);
    throw error;
  }
}

/** Whether the file reserves a name for this mark. */
export async function isMark({ folder, name }: HeldPlace, mark: string): Promise<boolean> {
  await using file = await open(folder.entryPath(name), constants.O_RDONLY | carefully).catch(() => null);
  const stats = await file?.stat();
  const size = Buffer.byteLength(mark);
  if (!file || !stats?.isFile() || stats.size !== size) return false;
  const { buffer } = await file.read(Buffer.alloc(size), 0, size, 0);
  return buffer.toString() === mark;
}

/** Removes the file only if it is a mark. */
export async function removeMark(place: HeldPlace, mark: string): Promise<void> {
  if (await isMark(place, mark)) await unlink(place.folder.entryPath(place.name));
}

const nameTakenError = ({ name }: HeldPlace) => new Error(`${name} is there already`);

/** Some file servers change file IDs on a rename, so the same size and time are enough. */
function isSame(a: BigIntStats, b: BigIntStats): boolean {
  if (a.isDirectory() !== b.isDirectory() || a.isFile() !== b.isFile()) return false;
  return (a.dev === b.dev && a.ino === b.ino) || (a.size === b.size && a.mtimeNs === b.mtimeNs);
}
