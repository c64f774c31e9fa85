import type { BigIntStats } from 'node:fs';
import { constants } from 'node:fs';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { hasCode } from '../../errno.ts';
import { carefully, entryAt, type HeldFolder } from '../scan/folder/held-folder.ts';

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
  let file: FileHandle;
  try {
    file = await open(place, 'wx', 0o600);
  } catch (error) {
    throw hasCode(error, 'EEXIST') ? nameTakenError(destination) : error;
  }
  try {
    await file.writeFile(mark);
  } finally {
    await file.close();
  }
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
  let file: FileHandle;
  try {
    file = await open(folder.entryPath(name), constants.O_RDONLY | carefully);
  } catch {
    return false;
  }
  try {
    const stats = await file.stat();
    const size = Buffer.byteLength(mark);
    if (!stats.isFile() || stats.size !== size) return false;
    const { buffer } = await file.read(Buffer.alloc(size), 0, size, 0);
    return buffer.toString() === mark;
  } finally {
    await file.close();
  }
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
