import { isDeepStrictEqual } from 'node:util';
import type { WatchRule } from '../model/rule.ts';
import type { PolicyRule, PolicyRules } from './read-policy-rules.ts';
import { isPolicyRule } from './read-policy-rules.ts';

/** Compares the policy's rules with the stored ones. Pure. */

/**
 * Returns the policy's rule as stored; null while it names no account and the user is signed out. `before`:
 * keeps its account if the policy names none, or only the service.
 */
export function wantedRule(
  { rule, service, accountId }: PolicyRule,
  before: WatchRule | undefined,
  accounts: {
    readonly of: (baseUrl: string, previous?: string) => string;
    readonly current: string | null;
  },
): WatchRule | null {
  const account =
    service === null
      ? (accountId ?? before?.accountId ?? accounts.current)
      : accounts.of(service, before?.accountId);
  return account === null ? null : { ...rule, accountId: account };
}

/** Whether both are equal, ignoring `on`. */
export function isAsWanted(kept: WatchRule, wanted: WatchRule): boolean {
  return isDeepStrictEqual({ ...kept, on: true }, { ...wanted, on: true });
}

/**
 * Switches off stored rules until they match the policy. `held` lists them, because rules may be off for
 * other reasons. `wanted`: the policy's usable rule, or null.
 */
export function holdBack(
  kept: readonly WatchRule[],
  held: readonly string[],
  wanted: (rule: WatchRule) => WatchRule | null,
): { readonly rules: readonly WatchRule[]; readonly held: readonly string[] } {
  const holding = new Set(held);
  const rules = kept.map((rule) => {
    if (!isPolicyRule(rule.id)) return rule;
    const theirs = wanted(rule);
    const works = theirs?.on === true && isAsWanted(rule, theirs);
    if (works && holding.delete(rule.id)) return { ...rule, on: true };
    if (works || !rule.on) return rule;
    holding.add(rule.id);
    return { ...rule, on: false };
  });
  return { rules, held: [...holding] };
}

/** Returns stored rules that the policy no longer has. A faulty one stays, because it may still be wanted. */
export function goneFrom({ rules, faulty }: PolicyRules, kept: readonly WatchRule[]): readonly WatchRule[] {
  // An unreadable list doesn't prove that any rule was removed.
  if (faulty.some(({ problems }) => problems.some(({ field }) => field === 'watchRules'))) return [];
  const named = new Set<string | null>([...rules.map(({ rule }) => rule.id), ...faulty.map(({ id }) => id)]);
  return kept.filter(({ id }) => isPolicyRule(id) && !named.has(id));
}
