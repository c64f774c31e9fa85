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

describe('suspendUntilApplied()', () => {
  it('keeps rules that match the policy, on or off', () => {
    const kept = [own, office, { ...office, id: policyRuleId('resting'), on: false }];
    expect(suspendUntilApplied(kept, [], (rule) => ({ ...rule, on: true }))).toEqual({
      rules: kept,
      held: [],
    });
  });

  it.each([
    ['defines it differently', { ...office, description: 'anew' }],
    ['lacks it or has an error in it', null],
    ['turns it off', { ...office, on: false }],
  ])('pauses a rule if the policy %s, and resumes it once they match', (_what, wanted) => {
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

  it('leaves rules off that are off for another reason, such as a lost ledger', () => {
    const resting = { ...office, on: false };
    expect(suspendUntilApplied([resting], [], () => office)).toEqual({ rules: [resting], held: [] });
  });
});

describe('policy rules', () => {
  const { accountId: _, ...rule } = office;
  const none: PolicyRule = { rule, service: null, accountId: null };
  const of = (baseUrl: string, previous?: string) => (previous === 'crew' ? previous : `at ${baseUrl}`);
  const accounts = { of, current: 'mara' };

  it('chooses the account by service, then by name, then the previous, then the current one', () => {
    const accountOf = (part: Partial<PolicyRule>, before?: typeof office) =>
      withAccount({ ...none, ...part }, before, accounts)?.accountId;
    expect(accountOf({ service: 'https://a', accountId: 'jo' }, office)).toBe('at https://a');
    expect(accountOf({ service: 'https://a' }, { ...office, accountId: 'crew' })).toBe('crew');
    expect(accountOf({ accountId: 'jo' }, office)).toBe('jo');
    expect(accountOf({}, office)).toBe(office.accountId);
    expect(accountOf({})).toBe('mara');
    expect(withAccount(none, undefined, { ...accounts, current: null })).toBeNull();
  });

  it('treats a rule as removed only if a readable policy doesn’t name it', () => {
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
