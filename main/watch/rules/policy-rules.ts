import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type JsonTree, positionOf, readJson } from '../../../shared/json-positions.ts';
import type { LocatedProblem } from '../../../shared/watch.ts';
import { type FieldProblem, located, problemsOf, textOf, unknownKeys, valueAt } from '../../checked-file.ts';
import { parseServiceAddress } from '../../service/service-address.ts';
import type { WatchRule } from '../model/rule.ts';
import { identifyRule } from './reconcile.ts';
import { type FileRule, fileRuleSchema, idTwice, maxRules, withDerived } from './rules-file.ts';

/** Watch rules set by an administrator (docs/administration.md, `watchRules`). Pure. */

/** A rule of the policy. */
export interface PolicyRule {
  /** As stored, except for a missing account. */
  readonly rule: Omit<FileRule, 'accountId'> & { readonly id: string };
  /** API address; null for the service of the account that is current at creation. */
  readonly service: string | null;
  /** The exported rule's, or null. */
  readonly accountId: string | null;
}

/** An unusable rule of the policy. */
export interface FaultyPolicyRule {
  /** Identifies an earlier stored version; null if unknown. */
  readonly id: string | null;
  readonly name: string | null;
  readonly folder: string | null;
  readonly problems: readonly LocatedProblem[];
}

export interface PolicyRules {
  readonly rules: readonly PolicyRule[];
  readonly faulty: readonly FaultyPolicyRule[];
}

export const noPolicyRules: PolicyRules = { rules: [], faulty: [] };

const key = 'watchRules';

/**
 * Like a rules file, but on by default, and with an optional service instead of an account, because accounts
 * differ between computers.
 */
const policyRuleSchema = fileRuleSchema.extend({
  on: z.boolean().default(true),
  service: z
    .string()
    .max(2_048)
    .transform((address, context) => {
      try {
        return parseServiceAddress({ baseUrl: address, authUrl: address }).baseUrl;
      } catch {
        context.addIssue({ code: 'custom' });
        return z.NEVER;
      }
    })
    .optional(),
});

/** Reads each rule separately, so that an unusable one doesn't affect the others. Never throws. */
export function readPolicyRules(text: string): PolicyRules {
  const json = readJson(text);
  if (json.fault) {
    const problem = { ...positionOf(text, json.fault.offset), field: key, what: json.fault.what };
    return { rules: [], faulty: [{ id: null, name: null, folder: null, problems: [problem] }] };
  }
  const { tree } = json;
  const ruleList = valueAt(json.value, [key]);
  if (ruleList === undefined) return noPolicyRules;
  const listProblems = problemsOfList(ruleList);
  if (listProblems.length > 0) return { rules: [], faulty: [faultyRule(null, listProblems, tree, text)] };
  const rules: PolicyRule[] = [];
  const faulty: FaultyPolicyRule[] = [];
  const ids = new Set<string>();
  for (const [index, value] of (ruleList as readonly unknown[]).entries()) {
    const { data, error } = policyRuleSchema.safeParse(withDerived(value));
    const id = idOf(value);
    const isTwice = id !== null && ids.has(id);
    const ruleProblems: readonly FieldProblem[] = [
      ...(error ? problemsOf(error, value) : []),
      ...(data ? unknownKeys(value, data) : []),
      ...(isTwice ? [idTwice] : []),
    ];
    if (id !== null) ids.add(id);
    if (!data || id === null || ruleProblems.length > 0) {
      const problems = ruleProblems.map(({ path, what }) => ({ path: [key, index, ...path], what }));
      // The first of two rules with one ID counts.
      faulty.push(faultyRule(value, problems, tree, text, isTwice ? null : id));
      continue;
    }
    const { service = null, accountId = null, ...rule } = data;
    rules.push({ rule: { ...rule, id }, service, accountId });
  }
  return { rules, faulty };
}

function problemsOfList(ruleList: unknown): readonly FieldProblem[] {
  const { error } = z.array(z.unknown()).max(maxRules).safeParse(ruleList);
  return error ? problemsOf(error, ruleList).map(({ what }) => ({ path: [key], what })) : [];
}

/**
 * The own ID, otherwise one of folder and name, which survives changes of patterns or settings. Null if
 * neither is known.
 */
function idOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, folder, name } = withDerived(value) as Readonly<Record<string, unknown>>;
  if (typeof id === 'string' && id !== '' && id.length <= 80) return policyRuleId(id);
  if (id !== undefined || typeof folder !== 'string' || typeof name !== 'string') return null;
  return policyRuleId(identifyRule({ folder, name }));
}

function faultyRule(
  value: unknown,
  problems: readonly FieldProblem[],
  tree: JsonTree,
  text: string,
  id: string | null = null,
): FaultyPolicyRule {
  return {
    id,
    name: textOf(value, 'name'),
    folder: textOf(value, 'folder'),
    problems: located(problems, tree, text),
  };
}

/** Users' own IDs never start with it. */
const prefix = 'policy:';

/** Returns the stored ID. `policyId`: the ID in the policy. */
export function policyRuleId(policyId: string): string {
  return `${prefix}${policyId}`;
}

/** Whether the policy owns the rule, so that users can't change or remove it. */
export function isPolicyRule(ruleId: string): boolean {
  return ruleId.startsWith(prefix);
}

/**
 * Returns the policy's rule as stored; null while it names no account and the user is signed out. `previous`:
 * keeps its account if the policy names none, or only the service. Pure.
 */
export function withAccount(
  { rule, service, accountId }: PolicyRule,
  previous: WatchRule | undefined,
  accounts: { readonly of: (baseUrl: string, previous?: string) => string; readonly current: string | null },
): WatchRule | null {
  const account =
    service === null
      ? (accountId ?? previous?.accountId ?? accounts.current)
      : accounts.of(service, previous?.accountId);
  return account === null ? null : { ...rule, accountId: account };
}

/**
 * Switches off stored rules until they match the policy. `held` lists them, because rules may be off for
 * other reasons. `requestedOf`: the policy's usable rule, or null. Pure.
 */
export function suspendUntilApplied(
  stored: readonly WatchRule[],
  held: readonly string[],
  requestedOf: (rule: WatchRule) => WatchRule | null,
): { readonly rules: readonly WatchRule[]; readonly held: readonly string[] } {
  const heldIds = new Set(held);
  const rules = stored.map((rule) => {
    if (!isPolicyRule(rule.id)) return rule;
    const requested = requestedOf(rule);
    const isUpToDate = requested?.on === true && isDeepStrictEqual({ ...rule, on: true }, requested);
    if (isUpToDate && heldIds.delete(rule.id)) return { ...rule, on: true };
    if (isUpToDate || !rule.on) return rule;
    heldIds.add(rule.id);
    return { ...rule, on: false };
  });
  return { rules, held: [...heldIds] };
}

/** Whether the policy no longer has a stored rule. A faulty one stays: it may still be wanted. Pure. */
export function isGone({ rules, faulty }: PolicyRules, { id }: WatchRule): boolean {
  // An unreadable list doesn't prove that any rule was removed.
  const isListUnreadable = faulty.some(({ problems }) => problems.some(({ field }) => field === key));
  if (isListUnreadable || !isPolicyRule(id)) return false;
  return !rules.some(({ rule }) => rule.id === id) && !faulty.some((rule) => rule.id === id);
}
