import { resolve } from 'node:path';
import { createPathFits } from '../../files/left-out/path-patterns.ts';
import { toKey } from '../../files/paths.ts';
import type { WatchRule, WatchUnit } from '../model/rule.ts';
import { sourcePath } from './folder/paths.ts';
import type { SourcePlan } from './found-source.ts';
import type { GatherOptions } from './gather.ts';
import { filePlans } from './sources.ts';

/** Whether two gitignore patterns can match the same file. Pure. */

/**
 * Returns true if unknown. A name with an extension (`*.tif`) counts as a file's; folders with such names are
 * detected at run time.
 */
export function canOverlap(pattern: string, otherPattern: string): boolean {
  const [a, b] = [piecesOf(pattern), piecesOf(otherPattern)];
  if (a === null || b === null) return false;
  return sequencesOverlap(a, b, (piece) => piece === '**', namesOverlap);
}

/** Null for comments, empty lines and negations. */
function piecesOf(line: string): readonly string[] | null {
  if (line.trim() === '' || /^[#!]/.test(line)) return null;
  const bare = line.trimEnd().normalize('NFC').toLowerCase();
  const isFolder = bare.endsWith('/');
  const inner = bare.replace(/^\//, '').replace(/\/$/, '');
  const anchored = bare.startsWith('/') || inner.includes('/');
  const pieces = [...(anchored ? [] : ['**']), ...inner.split('/')];
  const lastPiece = pieces.at(-1) ?? '';
  const isFile = !isFolder && /\.[^*?[\].]+$/.test(lastPiece);
  return isFile ? pieces : [...pieces, '**'];
}

/** Whether two patterns can match the same sequence. `isMany`: the item matches any number of others. */
function sequencesOverlap<Item>(
  a: readonly Item[],
  b: readonly Item[],
  isMany: (item: Item) => boolean,
  itemsOverlap: (item: Item, otherItem: Item) => boolean,
): boolean {
  const cache = new Map<string, boolean>();
  function overlapFrom(i: number, j: number): boolean {
    const key = `${i} ${j}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    // Prevents endless recursion.
    cache.set(key, false);
    const answer = overlapHere(i, j);
    cache.set(key, answer);
    return answer;
  }
  function overlapHere(i: number, j: number): boolean {
    const [item, otherItem] = [a[i], b[j]];
    if (item === undefined && otherItem === undefined) return true;
    if (item !== undefined && isMany(item))
      return overlapFrom(i + 1, j) || (otherItem !== undefined && overlapFrom(i, j + 1));
    if (otherItem !== undefined && isMany(otherItem))
      return overlapFrom(i, j + 1) || (item !== undefined && overlapFrom(i + 1, j));
    if (item === undefined || otherItem === undefined) return false;
    return itemsOverlap(item, otherItem) && overlapFrom(i + 1, j + 1);
  }
  return overlapFrom(0, 0);
}

const namesOverlap = (name: string, otherName: string): boolean =>
  sequencesOverlap(
    signsOf(name),
    signsOf(otherName),
    (sign) => sign === '*',
    (sign, otherSign) => sign === '?' || otherSign === '?' || sign === otherSign,
  );

/** `*` matches any number of characters, `?` one. Escaped, these two keep their backslash. */
function signsOf(piece: string): readonly string[] {
  const signs: string[] = [];
  for (const [token] of piece.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\*+|./gsu)) {
    if (token.startsWith('*')) signs.push('*');
    else if (token.startsWith('[') && token.length > 1) signs.push('?');
    else signs.push(/^\\[^*?]$/su.test(token) ? token.slice(1) : token);
  }
  return signs;
}

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
