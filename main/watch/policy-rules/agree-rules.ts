import { isDeepStrictEqual } from 'node:util';
import type { WatchRule } from '../rule.ts';
import type { PolicyRule, PolicyRules } from './read-policy-rules.ts';
import { isPolicyRule } from './read-policy-rules.ts';

/** What the policy's rules and those that are kept of them have to do with each other. Pure. */

/**
 * The policy's rule as it would be kept; null while it names no account and nobody is signed in. `before`: as
 * it is kept now; its account stays where the policy names none, or only the service.
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

/** True where the rule that is kept is the policy's, whether it is on or not. */
export function isAsWanted(kept: WatchRule, wanted: WatchRule): boolean {
  return isDeepStrictEqual({ ...kept, on: true }, { ...wanted, on: true });
}

/**
 * The kept rules as they may begin to work: one that is not in force as it is kept rests, and is named in
 * `held` for as long, so that no other reason for a rest is mistaken for this one. `wanted`: the policy's
 * rule as it would be kept; null where there is none that can be used.
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

/** Kept rules that the policy no longer has. One with a fault stays: it may still be wanted. */
export function goneFrom({ rules, faulty }: PolicyRules, kept: readonly WatchRule[]): readonly WatchRule[] {
  // A list that can't be read at all says nothing of any rule.
  if (faulty.some(({ problems }) => problems.some(({ field }) => field === 'watchRules'))) return [];
  const named = new Set<string | null>([...rules.map(({ rule }) => rule.id), ...faulty.map(({ id }) => id)]);
  return kept.filter(({ id }) => isPolicyRule(id) && !named.has(id));
}
