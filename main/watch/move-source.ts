import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { TileliftError } from '../errors.ts';
import { parseJson } from '../service/parse-json.ts';
import type { FoundSource } from './model.ts';
import { isTaken, type Move, type MoveOptions, planMove } from './move-plan.ts';
import { ownFolder } from './source/left-out.ts';

const plans = join(ownFolder, 'moves');
const planSchema = z.array(z.object({ from: z.string(), to: z.string() }));

/**
 * Moves what is a finished source's own into the target folder, which is made when missing: by renaming only, over nothing, all of it or nothing. More than one
 * entry can't be moved at one stroke: what is planned is written down in the watched folder first, and `finishMoves` goes on with it after a kill.
 *
 * Gives where a person finds it.
 *
 * @throws TileliftError `watch-move-failed`: everything lies where it was
 */
export async function moveSource(source: FoundSource, options: MoveOptions): Promise<string> {
  try {
    const plan = await planMove(source, options);
    if (!plan) throw new Error('other sources need all of its files');
    const { moves, movedTo } = plan;
    if (moves.length > 1) await moveByNote(options.rule.folder, moves);
    else await moveAll(moves, null);
    return movedTo;
  } catch (cause) {
    throw new TileliftError('watch-move-failed', { subject: source.paths[0] ?? source.keysFrom, cause });
  }
}

/** Plans that are being carried out: whoever looks through the folder meanwhile must not carry them out as well. */
const underWay = new Set<string>();

async function moveByNote(folder: string, moves: readonly Move[]): Promise<void> {
  const note = placeOfNote(folder, moves);
  underWay.add(note);
  try {
    await writeNote(note, moves);
    await moveAll(moves, note);
  } finally {
    underWay.delete(note);
  }
}

/**
 * Goes on with moves that were cut off: half a data set must not be looked at as one that has changed. To be called before a folder is looked through.
 *
 * @throws TileliftError `watch-move-failed` when some of it can't be moved now
 */
export async function finishMoves(folder: string): Promise<void> {
  const notes = await readdir(join(folder, plans)).catch(() => []);
  for (const name of notes) {
    const note = join(folder, plans, name);
    if (underWay.has(note)) continue;
    try {
      const moves = planSchema.safeParse(parseJson(await readFile(note, 'utf8'))).data;
      // One that makes no sense was being written: nothing had been moved by then.
      for (const move of moves ?? []) if (await isToDo(move)) await moveOne(move);
      await forgetPlan(note);
    } catch (cause) {
      throw new TileliftError('watch-move-failed', { subject: folder, cause });
    }
  }
}

/** Where both places are taken it has been made, and something new lies at the first. */
async function isToDo({ from, to }: Move): Promise<boolean> {
  return (await isTaken(from)) && !(await isTaken(to));
}

async function moveAll(moves: readonly Move[], note: string | null): Promise<void> {
  const moved: Move[] = [];
  const made: string[] = [];
  try {
    for (const move of moves) {
      await makeFolders(dirname(move.to), made);
      await moveOne(move);
      moved.push(move);
    }
  } catch (error) {
    // What can't go back leaves the plan where it is: the next look goes on with it, so that the source is whole in one place.
    for (const { from, to } of moved.toReversed()) await moveOne({ from: to, to: from });
    for (const folder of made.toReversed()) await rmdir(folder).catch(() => {});
    if (note !== null) await forgetPlan(note);
    throw error;
  }
  if (note !== null) await forgetPlan(note);
}

/** `made`: gets those that were missing, outermost first. */
async function makeFolders(folder: string, made: string[]): Promise<void> {
  if (await isTaken(folder)) return;
  await makeFolders(dirname(folder), made);
  await mkdir(folder);
  made.push(folder);
}

async function moveOne({ from, to }: Move): Promise<void> {
  if (await isTaken(to)) throw new Error(`${to} is there already`);
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
}

function placeOfNote(folder: string, moves: readonly Move[]): string {
  const name = createHash('sha256').update(JSON.stringify(moves)).digest('hex').slice(0, 32);
  return join(folder, plans, `${name}.json`);
}

async function writeNote(note: string, moves: readonly Move[]): Promise<void> {
  await mkdir(dirname(note), { recursive: true });
  const file = await open(note, 'w');
  try {
    await file.writeFile(JSON.stringify(moves));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** With the folders around it, where nothing else lies in them. */
async function forgetPlan(note: string): Promise<void> {
  await rm(note, { force: true });
  for (const folder of [dirname(note), dirname(dirname(note))]) {
    try {
      await rmdir(folder);
    } catch {
      return;
    }
  }
}
