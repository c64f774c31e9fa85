import type { AssetSeen, FindingGroup, FindingLevel } from '../../../../preload/contract.ts';
import { areAllRead } from '../../../../shared/degrees.ts';
import { factsOf } from '../../../../shared/findings.ts';
import { saidSystem } from '../../../../shared/source.ts';
import { say, sayValue } from '../../../say.ts';
import { groupId, leftOutKeys } from './decisions.ts';
import { type FindingsScope, groupsThatMatter, type SeparateDraft } from './draft.ts';

export interface Trouble {
  readonly level: FindingLevel;
  /** Files with this finding; for notes, the number of notes. */
  readonly count: number;
}

function troubleOf(scope: FindingsScope): Trouble | null {
  const openFindings = openGroups(scope);
  for (const level of ['will-fail', 'may-disappoint'] as const) {
    const grave = openFindings.filter(({ id }) => factsOf(id).level === level);
    if (grave.length > 0) return { level, count: countFiles(grave, scope.fileCount) };
  }
  return openFindings.length > 0 ? { level: 'worth-knowing', count: openFindings.length } : null;
}

export const isLikelyToFail = (scope: FindingsScope): boolean => troubleOf(scope)?.level === 'will-fail';

export interface AssetState {
  readonly tone: 'error' | 'known' | 'waiting' | 'fine' | 'plain';
  readonly words: string;
}

/** An asset's state, or null. An asset is fine if it was read in full without notable findings. */
export function stateOf(
  { source }: SeparateDraft,
  scope: FindingsScope,
  facts: AssetSeen | undefined,
): AssetState | null {
  const trouble = troubleOf(scope);
  const words = trouble && say(`newAsset.proposal.trouble.${trouble.level}`, { count: trouble.count });
  if (words !== null && trouble?.level === 'will-fail') return { tone: 'error', words };
  if (source.madeBefore) {
    const id = String(source.madeBefore.assetId);
    return { tone: 'known', words: say('newAsset.proposal.already', { id }) };
  }
  if (words !== null && trouble?.level === 'may-disappoint') return { tone: 'waiting', words };
  if (facts && areAllRead(facts.degrees)) return { tone: 'fine', words: say('newAsset.proposal.fine') };
  if (words !== null) return { tone: 'plain', words };
  // Counts decided findings too, since they can be undone.
  const count = groupsThatMatter(scope).length;
  return count === 0
    ? null
    : { tone: 'plain', words: say('newAsset.proposal.trouble.worth-knowing', { count }) };
}

/**
 * `EPSG:25832` if all files have it that could, else `1 of 3 files has EPSG:25832`; null if none has one. An
 * assigned system counts.
 */
export function describeSystem(facts: AssetSeen | undefined, scope: FindingsScope): string | null {
  const counts = new Map(facts?.systems.map(({ system, count }) => [system, count]));
  for (const group of groupsThatMatter(scope)) {
    const decision = scope.decisions[groupId(group)];
    if (decision?.kind !== 'assign') continue;
    const system = `EPSG:${decision.epsg}`;
    counts.set(system, (counts.get(system) ?? 0) + group.count);
  }
  const [commonest] = [...counts].sort(([, a], [, b]) => b - a);
  if (!commonest || !facts) return null;
  const [system, count] = commonest;
  const total = facts.locatable - leftOutWithoutSystem(scope);
  return count >= total
    ? sayValue(saidSystem(system))
    : say('newAsset.proposal.someSystem', { count, total, system: sayValue(saidSystem(system)) });
}

function leftOutWithoutSystem(scope: FindingsScope): number {
  return groupsThatMatter(scope)
    .filter((group) => withoutSystem.has(group.id) && scope.decisions[groupId(group)]?.kind === 'leave-out')
    .reduce((sum, { count }) => sum + count, 0);
}

const withoutSystem: ReadonlySet<string> = new Set([
  'no-system-raster',
  'no-system-city',
  'no-system-points',
]);

/** Findings without a decision, except those whose files are all left out. */
function openGroups(scope: FindingsScope): readonly FindingGroup[] {
  const groups = groupsThatMatter(scope);
  const leftOut = leftOutKeys(groups, scope.decisions);
  const isLeftOut = ({ count, keys }: FindingGroup) =>
    keys.length > 0 && keys.length >= count && keys.every((key) => leftOut.has(key));
  return groups.filter((group) => scope.decisions[groupId(group)] === undefined && !isLeftOut(group));
}

/** Counts a file once, even if several findings name it. */
function countFiles(groups: readonly FindingGroup[], limit: number): number {
  const keyCount = new Set(groups.flatMap(({ keys }) => keys)).size;
  return Math.min(
    limit,
    groups.reduce((sum, { count, keys }) => sum + count - keys.length, keyCount),
  );
}
