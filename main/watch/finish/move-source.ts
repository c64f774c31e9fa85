import { randomUUID } from 'node:crypto';
import { relative, sep } from 'node:path';
import { hasCode } from '../../errno.ts';
import { TileliftError } from '../../errors.ts';
import { entryAt, holdFolder, type MadeFolder, removeEmpty } from '../../files/held-folder.ts';
import { type HeldPlace, holdTarget, moveEntry, removeMark } from '../../files/move-entry.ts';
import type { FoundSource } from '../model/model.ts';
import { type MoveJournal, movesSchema, type PlannedMoves } from '../state/ledger/side-tables.ts';
import { type MoveOptions, planMove } from './move-plan.ts';

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
