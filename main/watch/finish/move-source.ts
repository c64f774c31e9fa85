import { randomUUID } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { lstat, open, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import { hasCode } from '../../errno.ts';
import { TileliftError } from '../../errors.ts';
import { pathBelow } from '../../files/paths.ts';
import type { FoundSource } from '../model/model.ts';
import {
  carefully,
  entryAt,
  type HeldFolder,
  holdFolder,
  InTheWay,
  type MadeFolder,
  removeEmpty,
} from '../scan/folder/held-folder.ts';
import { type MoveJournal, movesSchema, type PlannedMoves } from '../state/ledger/side-tables.ts';
import { type MoveOptions, planMove } from './move-plan.ts';

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

type Moves = Pick<MoveJournal, 'addMoves' | 'forgetMoves' | 'movesFrom'>;

/**
 * Moves a source's own files into the target folder: only by renaming, without overwriting, all or nothing.
 * The plan is in the journal, so that `finishMoves` can continue after a kill. Follows no link below the
 * watched folder or the target. Returns the new path for the user.
 *
 * @throws TileliftError `watch-move-failed`: nothing was moved
 */
export async function moveSource(source: FoundSource, options: MoveOptions, journal: Moves): Promise<string> {
  try {
    const plan = await planMove(source, options);
    if (!plan) throw new Error('other sources need all of its files');
    const { folder } = options.rule;
    const { target } = options;
    const moves = plan.moves.map(({ sourcePath, targetPath }) => ({
      from: wayTo(folder, sourcePath),
      to: wayTo(target, targetPath),
    }));
    await moveByPlan({ id: randomUUID(), folder, target, moves: movesSchema.parse(moves) }, journal);
    return plan.movedTo;
  } catch (cause) {
    throw new TileliftError('watch-move-failed', { subject: source.paths[0] ?? source.keysFrom, cause });
  }
}

const wayTo = (folder: string, path: string): readonly string[] => relative(folder, path).split(sep);

/** A concurrent scan must not execute these plans as well. */
const underWay = new Set<string>();

async function moveByPlan(plan: PlannedMoves, journal: Moves): Promise<void> {
  underWay.add(plan.id);
  try {
    journal.addMoves(plan);
    await moveAll(plan);
    journal.forgetMoves(plan.id);
  } catch (error) {
    // If moving back failed, the next scan continues with the plan, so that the source is whole in one place.
    if (!(error instanceof StuckHalfway)) journal.forgetMoves(plan.id);
    throw error;
  } finally {
    underWay.delete(plan.id);
  }
}

/**
 * Continues interrupted moves. Call it before a scan, because half a data set must not look like a changed
 * one.
 *
 * @throws TileliftError `watch-move-failed` if a part can't be moved now
 */
export async function finishMoves(folder: string, journal: Moves): Promise<void> {
  for (const plan of journal.movesFrom(folder)) {
    if (underWay.has(plan.id)) continue;
    underWay.add(plan.id);
    try {
      for (const move of plan.moves) await finishMove(plan, move);
      journal.forgetMoves(plan.id);
    } catch (cause) {
      throw new TileliftError('watch-move-failed', { subject: folder, cause });
    } finally {
      underWay.delete(plan.id);
    }
  }
}

type Move = PlannedMoves['moves'][number];

/** If both paths exist, the move is done and the first one has a new file. */
async function finishMove(plan: PlannedMoves, move: Move): Promise<void> {
  await using targetFolder = await holdTarget(plan.folder, plan.target, move.to.slice(0, -1), []);
  const destination = { folder: targetFolder, name: move.to.at(-1) ?? '' };
  const mark = markOf(plan);
  await removeMark(destination, mark);
  if (await entryAt(destination.folder, destination.name)) return;
  await using folder = await holdFolder(plan.folder, move.from.slice(0, -1)).catch((error) => {
    if (!hasCode(error, 'ENOENT')) throw error;
    return null;
  });
  const origin = folder && { folder, name: move.from.at(-1) ?? '' };
  if (origin && (await entryAt(origin.folder, origin.name))) await moveEntry(origin, destination, mark);
}

const markOf = ({ id }: PlannedMoves): string => `Tilelift moves a file here: ${id}\n`;

class StuckHalfway extends Error {}

async function moveAll(plan: PlannedMoves): Promise<void> {
  const moved: Move[] = [];
  const madeFolders: MadeFolder[] = [];
  try {
    for (const move of plan.moves) {
      await moveOne(plan, move, madeFolders, (origin, destination) =>
        moveEntry(origin, destination, markOf(plan)),
      );
      moved.push(move);
    }
  } catch (cause) {
    try {
      for (const move of moved.toReversed())
        await moveOne(plan, move, [], (origin, destination) => moveEntry(destination, origin, markOf(plan)));
    } catch (stuck) {
      throw new StuckHalfway(String(stuck), { cause });
    }
    for (const folder of madeFolders.toReversed()) await removeEmpty(folder).catch(() => {});
    throw cause;
  }
}

async function moveOne(
  plan: PlannedMoves,
  move: Move,
  madeFolders: MadeFolder[],
  act: (origin: HeldPlace, destination: HeldPlace) => Promise<void>,
): Promise<void> {
  await using origin = await holdFolder(plan.folder, move.from.slice(0, -1));
  await using destination = await holdTarget(plan.folder, plan.target, move.to.slice(0, -1), madeFolders);
  await act(
    { folder: origin, name: move.from.at(-1) ?? '' },
    { folder: destination, name: move.to.at(-1) ?? '' },
  );
}
