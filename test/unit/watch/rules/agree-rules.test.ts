import { describe, expect, it } from 'vitest';
import {
  isGone,
  type PolicyRule,
  policyRuleId,
  suspendUntilApplied,
  withAccount,
} from '../../../../main/watch/rules/policy-rules.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';

const own = aWatchRule({ id: 'own', folder: '/data/own' });
const office = aWatchRule({ id: policyRuleId('office'), folder: '/data/office' });

describe('before any rule works, rules of the policy', () => {
  it('continue as they are where the policy has them like that, whether on or not', () => {
    const kept = [own, office, { ...office, id: policyRuleId('resting'), on: false }];
    expect(suspendUntilApplied(kept, [], (rule) => ({ ...rule, on: true }))).toEqual({
      rules: kept,
      held: [],
    });
  });

  it.each([
    ['has it otherwise', { ...office, description: 'anew' }],
    ['has it no more, or with a fault', null],
    ['wants it off', { ...office, on: false }],
  ])('rest where the policy %s, and are known by that', (_what, wanted) => {
    const resting = { ...office, on: false };
    expect(suspendUntilApplied([own, office], [], () => wanted)).toEqual({
      rules: [own, resting],
      held: [office.id],
    });
    expect(suspendUntilApplied([own, resting], [office.id], () => office)).toEqual({
      rules: [own, office],
      held: [],
    });
  });

  it('that rest for another reason, as after a loss of the ledger, keep resting', () => {
    const resting = { ...office, on: false };
    expect(suspendUntilApplied([resting], [], () => office)).toEqual({ rules: [resting], held: [] });
  });
});

describe('a rule of the policy', () => {
  const { accountId: _, ...rule } = office;
  const none: PolicyRule = { rule, service: null, accountId: null };
  const of = (baseUrl: string, previous?: string) => (previous === 'crew' ? previous : `at ${baseUrl}`);
  const accounts = { of, current: 'mara' };

  it('belongs to the account at its service, else to the one that it names, that it had, that is current', () => {
    const accountOf = (part: Partial<PolicyRule>, before?: typeof office) =>
      withAccount({ ...none, ...part }, before, accounts)?.accountId;
    expect(accountOf({ service: 'https://a', accountId: 'jo' }, office)).toBe('at https://a');
    expect(accountOf({ service: 'https://a' }, { ...office, accountId: 'crew' })).toBe('crew');
    expect(accountOf({ accountId: 'jo' }, office)).toBe('jo');
    expect(accountOf({}, office)).toBe(office.accountId);
    expect(accountOf({})).toBe('mara');
    expect(withAccount(none, undefined, { ...accounts, current: null })).toBeNull();
  });

  it('is gone where the policy names it nowhere, not where it can’t be read', () => {
    const fault = { id: office.id, name: null, folder: null, problems: [] };
    expect(isGone({ rules: [], faulty: [] }, office)).toBe(true);
    expect(isGone({ rules: [], faulty: [] }, own)).toBe(false);
    expect(isGone({ rules: [none], faulty: [] }, office)).toBe(false);
    expect(isGone({ rules: [], faulty: [fault] }, office)).toBe(false);
    const what = { key: 'rulesFile.problem.other' } as const;
    const list = { ...fault, id: null, problems: [{ line: 1, column: 1, field: 'watchRules', what }] };
    expect(isGone({ rules: [], faulty: [list] }, office)).toBe(false);
  });
});
