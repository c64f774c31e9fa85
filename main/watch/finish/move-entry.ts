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
export async function moveEntry(from: HeldPlace, to: HeldPlace, mark: string): Promise<void> {
  const before = await entryAt(from.folder, from.name);
  if (!before) throw new Error(`${from.name} is gone`);
  if (!before.isFile() && !before.isDirectory()) throw new Error(`${from.name} is neither file nor folder`);
  await from.folder.check();
  await to.folder.check();
  if (before.isFile() && keepsPlace) await renameOverMark(from, to, mark);
  else {
    // A folder can only replace an empty folder.
    if (await entryAt(to.folder, to.name)) throw taken(to);
    await rename(from.folder.at(from.name), to.folder.at(to.name));
  }
  const after = await entryAt(to.folder, to.name);
  await from.folder.check();
  await to.folder.check();
  if (after && isSame(before, after)) return;
  if (after && !(await entryAt(from.folder, from.name)))
    await rename(to.folder.at(to.name), from.folder.at(from.name));
  throw new Error(`${from.name} was another one when it was moved`);
}

async function renameOverMark(from: HeldPlace, to: HeldPlace, mark: string): Promise<void> {
  const place = to.folder.at(to.name);
  let file: FileHandle;
  try {
    file = await open(place, 'wx', 0o600);
  } catch (error) {
    throw hasCode(error, 'EEXIST') ? taken(to) : error;
  }
  try {
    await file.writeFile(mark);
  } finally {
    await file.close();
  }
  try {
    if (!(await isMark(to, mark))) throw taken(to);
    await rename(from.folder.at(from.name), place);
  } catch (error) {
    await removeMark(to, mark);
    throw error;
  }
}

/** Whether the file reserves a name for this mark. */
export async function isMark({ folder, name }: HeldPlace, mark: string): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(folder.at(name), constants.O_RDONLY | carefully);
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
  if (await isMark(place, mark)) await unlink(place.folder.at(place.name));
}

const taken = ({ name }: HeldPlace) => new Error(`${name} is there already`);

/** Some file servers change file IDs on a rename, so the same size and time are enough. */
function isSame(a: BigIntStats, b: BigIntStats): boolean {
  if (a.isDirectory() !== b.isDirectory() || a.isFile() !== b.isFile()) return false;
  return (a.dev === b.dev && a.ino === b.ino) || (a.size === b.size && a.mtimeNs === b.mtimeNs);
}
