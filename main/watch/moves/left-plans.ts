import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, opendir, unlink } from 'node:fs/promises';
import { z } from 'zod';
import { hasCode } from '../../errno.ts';
import { parseJson } from '../../service/answer.ts';
import { pathBelow } from '../../source/paths.ts';
import { targetsOf } from '../check-rule.ts';
import { carefully, type HeldFolder, holdFolder, InTheWay, removeEmpty } from '../folder/held-folder.ts';
import type { WatchRule } from '../rule.ts';
import { ownFolder } from '../survey/left-out.ts';
import { type WatchParts, writeActivity } from '../watch-parts.ts';
import { movesSchema, type PlannedMoves } from './move-journal.ts';

/** Where earlier versions wrote down what they were moving. */
const wayToPlans = [ownFolder, 'moves'];
/** Plans that are looked at, bytes of one, and moves in one. */
const maxPlans = 1_000;
const maxBytes = 1024 * 1024;
const maxMoves = 10_000;

const written = z
  .array(z.object({ from: z.string(), to: z.string() }))
  .min(1)
  .max(maxMoves);

type Rule = Pick<WatchRule, 'id' | 'folder' | 'afterSuccess' | 'afterFailure'>;

/**
 * Looks once, for each rule that an earlier version made, whether that version was cut off while it moved a
 * source. Others may write where it kept its plans: only moves out of the watched folder into a target of the
 * same rule are taken over into the journal. Everything else stays where it is, is told of, and never looked
 * at again.
 */
export async function takeOverLeftPlans(rule: Rule, parts: WatchParts): Promise<void> {
  const { ledger, log } = parts;
  if (ledger.hasSeenPlans(rule.id)) return;
  const refused = await takeOver(rule, (plan) => ledger.addMoves(plan)).catch((error) => {
    if (error instanceof InTheWay) return 1;
    throw error;
  });
  ledger.seePlans(rule.id);
  if (refused === 0) return;
  log.warn({ ruleId: rule.id, refused }, 'plans of an earlier version were refused');
  writeActivity(parts, rule.id, { key: 'sources.plansRefused', values: { plans: refused } });
}

/** Gives how many were refused. */
async function takeOver(rule: Rule, keep: (plan: PlannedMoves) => void): Promise<number> {
  // One that is away is looked at when it is back.
  await (await holdFolder(rule.folder, []))[Symbol.asyncDispose]();
  let folder: HeldFolder;
  try {
    folder = await holdFolder(rule.folder, wayToPlans);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0;
    throw error;
  }
  await using held = folder;
  let refused = 0;
  for (const name of await namesIn(held)) {
    const plan = await read(held, name, rule);
    if (plan) {
      keep(plan);
      await unlink(held.at(name));
    } else refused += 1;
  }
  if (refused === 0) {
    for (const way of [wayToPlans, wayToPlans.slice(0, -1)])
      await removeEmpty({ base: rule.folder, way }).catch(() => {});
  }
  return refused;
}

async function namesIn(folder: HeldFolder): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(folder.path)) {
    if (names.push(name) >= maxPlans) break;
  }
  return names;
}

/** Null for what is not one of this rule's own plans. */
async function read(folder: HeldFolder, name: string, rule: Rule): Promise<PlannedMoves | null> {
  const moves = written.safeParse(parseJson((await textOf(folder, name)) ?? '')).data;
  if (!moves) return null;
  for (const target of targetsOf(rule)) {
    const ways = movesSchema.safeParse(
      moves.map(({ from, to }) => ({ from: wayFrom(rule, from), to: wayDown(target, to) })),
    ).data;
    if (ways) return { id: randomUUID(), folder: rule.folder, target, moves: ways };
  }
  return null;
}

/** From the watched folder to a source: not to what is Tilelift's own, nor to what was moved already. */
function wayFrom(rule: Rule, path: string): readonly string[] {
  const way = wayDown(rule.folder, path);
  const isOwn = way[0] === ownFolder || targetsOf(rule).some((target) => pathBelow(target, path) !== null);
  return isOwn ? [] : way;
}

/** Empty, which no plan may hold, for what is outside. */
function wayDown(folder: string, path: string): readonly string[] {
  const place = pathBelow(folder, path);
  return place === null || place === '' ? [] : place.split('/');
}

async function textOf(folder: HeldFolder, name: string): Promise<string | null> {
  try {
    await using file = await open(folder.at(name), constants.O_RDONLY | carefully);
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > maxBytes) return null;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(stats.size), 0, stats.size, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return null;
  }
}
