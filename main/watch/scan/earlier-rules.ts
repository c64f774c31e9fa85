import { resolve } from 'node:path';
import { createPathFits } from '../../files/left-out/path-patterns.ts';
import { canOverlap } from '../../files/left-out/pattern-overlap.ts';
import { toKey } from '../../files/paths.ts';
import { sourcePath } from '../../files/whereabouts.ts';
import type { WatchRule, WatchUnit } from '../model/rule.ts';
import type { SourcePlan } from './found-source.ts';
import type { GatherOptions } from './gather.ts';
import { filePlans } from './sources.ts';

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
export function rulesBeside<Rule extends OnFolder>(rule: OnFolder, rules: readonly Rule[]): readonly Rule[] {
  return rules.filter((otherRule) => otherRule.id !== rule.id && mayShare(rule, otherRule));
}

/** Those created before it; all if the rule isn't stored yet. */
export function rulesBefore<Rule extends OnFolder>(rule: OnFolder, rules: readonly Rule[]): readonly Rule[] {
  const position = rules.findIndex(({ id }) => id === rule.id);
  return rulesBeside(rule, position < 0 ? rules : rules.slice(0, position));
}

/** Whether two rules may share a folder if their patterns allow it. */
export function mayShare(
  rule: Pick<WatchRule, 'folder' | 'unit'>,
  otherRule: Pick<WatchRule, 'folder' | 'unit'>,
): boolean {
  const areFiles = rule.unit.kind === 'files' && otherRule.unit.kind === 'files';
  return areFiles && resolve(rule.folder) === resolve(otherRule.folder);
}

/** The first pair that may match one file, or null. */
export function overlapOf(unit: WatchUnit, otherUnit: WatchUnit): readonly [string, string] | null {
  if (unit.kind !== 'files' || otherUnit.kind !== 'files') return null;
  for (const a of unit.patterns) for (const b of otherUnit.patterns) if (canOverlap(a, b)) return [a, b];
  return null;
}

/** Removes files that an earlier rule has by its patterns or references (a model's textures). */
export async function leaveToEarlier(
  plans: readonly SourcePlan[],
  earlier: EarlierRules | undefined,
  tops: readonly string[],
  deep: boolean,
  options: GatherOptions,
): Promise<readonly SourcePlan[]> {
  let remaining = plans;
  for (const { name, unit } of earlier?.rules ?? []) {
    if (unit.kind !== 'files' || remaining.length === 0) continue;
    const claimed = await placesOf(unit, tops, deep, options);
    const fits = createPathFits(unit.patterns);
    const unclaimed = remaining.filter(({ place }) => !claimed.has(place) && !fits(toKey(place), false));
    for (const { place } of remaining.filter((plan) => !unclaimed.includes(plan)))
      earlier?.onLeft?.(sourcePath(place), name);
    remaining = unclaimed;
  }
  return remaining;
}

/** A file with references may be in any parent folder. */
async function placesOf(
  { patterns }: FilesUnit,
  tops: readonly string[],
  deep: boolean,
  options: GatherOptions,
): Promise<ReadonlySet<string>> {
  const parents = tops.flatMap((top) =>
    top.split('/').map((_, index, names) => names.slice(0, index).join('/')),
  );
  const around = [...new Set(parents)].filter((place) => !tops.includes(place));
  const topPlans = await filePlans(patterns, tops, deep, options);
  const parentPlans = await filePlans(patterns, around, false, options);
  return new Set([...topPlans, ...parentPlans].flatMap(({ files }) => files));
}
