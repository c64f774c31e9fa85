import { resolve } from 'node:path';
import { createPathFits } from '../../files/left-out/path-patterns.ts';
import { toKey } from '../../files/paths.ts';
import type { WatchRule, WatchUnit } from '../model/rule.ts';
import type { GatherOptions } from './gather.ts';
import { canOverlap } from './patterns-overlap.ts';
import { filePlans, type Plans } from './sources.ts';

/** Rules that share a folder. If two match the same file anyway, the earlier one gets it. */

export interface EarlierRules {
  /** In creation order. */
  readonly rules: readonly Pick<WatchRule, 'name' | 'unit'>[];
  /** The rule of this name gets the file. */
  readonly onLeft?: (path: string, ruleName: string) => void;
}

type FilesUnit = Extract<WatchUnit, { kind: 'files' }>;
type OnFolder = Pick<WatchRule, 'id' | 'folder' | 'unit' | 'name'>;

/** Other rules that upload files from this folder, in creation order. */
export function rulesBeside<Rule extends OnFolder>(rule: OnFolder, all: readonly Rule[]): readonly Rule[] {
  return all.filter((other) => other.id !== rule.id && mayShare(rule, other));
}

/** Those created before it; all if the rule isn't stored yet. */
export function rulesBefore<Rule extends OnFolder>(rule: OnFolder, all: readonly Rule[]): readonly Rule[] {
  const own = all.findIndex(({ id }) => id === rule.id);
  return rulesBeside(rule, own < 0 ? all : all.slice(0, own));
}

/** Whether two rules may share a folder if their patterns allow it. */
export function mayShare(
  one: Pick<WatchRule, 'folder' | 'unit'>,
  other: Pick<WatchRule, 'folder' | 'unit'>,
): boolean {
  const areFiles = one.unit.kind === 'files' && other.unit.kind === 'files';
  return areFiles && resolve(one.folder) === resolve(other.folder);
}

/** The first pair that may match one file, or null. */
export function overlapOf(one: WatchUnit, other: WatchUnit): readonly [string, string] | null {
  if (one.kind !== 'files' || other.kind !== 'files') return null;
  for (const a of one.patterns) for (const b of other.patterns) if (canOverlap(a, b)) return [a, b];
  return null;
}

/** Removes files that an earlier rule has by its patterns or references (a model's textures). */
export async function leaveToEarlier(
  plans: Plans,
  earlier: EarlierRules | undefined,
  tops: readonly string[],
  deep: boolean,
  options: GatherOptions,
): Promise<Plans> {
  let left = plans.plans;
  for (const { name, unit } of earlier?.rules ?? []) {
    if (unit.kind !== 'files' || left.length === 0) continue;
    const theirs = await placesOf(unit, tops, deep, options);
    const fits = createPathFits(unit.patterns);
    const kept = left.filter(({ place }) => !theirs.has(place) && !fits(toKey(place), false));
    for (const { place } of left.filter((plan) => !kept.includes(plan)))
      earlier?.onLeft?.(toKey(place), name);
    left = kept;
  }
  return { ...plans, plans: left };
}

/** A file with references may be in any parent folder. */
async function placesOf(
  { patterns }: FilesUnit,
  tops: readonly string[],
  deep: boolean,
  options: GatherOptions,
): Promise<ReadonlySet<string>> {
  const above = tops.flatMap((top) =>
    top.split('/').map((_, index, names) => names.slice(0, index).join('/')),
  );
  const around = [...new Set(above)].filter((place) => !tops.includes(place));
  const here = await filePlans(patterns, tops, deep, options);
  const there = await filePlans(patterns, around, false, options);
  return new Set([...here.plans, ...there.plans].flatMap(({ files }) => files));
}
