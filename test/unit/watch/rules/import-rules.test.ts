import { describe, expect, it } from 'vitest';
import { TileliftError } from '../../../../main/errors.ts';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import {
  defaultChoice,
  type Here,
  type ImportChoice,
  importRules,
  planImport,
  replacedBy,
} from '../../../../main/watch/rules/import-rules.ts';
import { policyRuleId } from '../../../../main/watch/rules/policy-rules.ts';
import type { FileRule } from '../../../../main/watch/rules/rules-file.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';

const north = aWatchRule({ id: 'north', folder: '/data/north', accountId: 'mara' });
const south = aWatchRule({ id: 'south', folder: '/data/south', accountId: 'stranger' });
const here: Here = { rules: [{ ...north, name: 'Before' }], accountId: 'jo' };

/** Keeps rules as watching does, and refuses one. */
function keeper(rules: readonly WatchRule[], refuses?: string) {
  const kept = new Map(rules.map((rule) => [rule.id, rule]));
  return {
    kept,
    save: async (rule: WatchRule) => {
      if (rule.id === refuses) throw new TileliftError('watch-folder-missing');
      kept.set(rule.id, rule);
    },
    remove: (id: string) => void kept.delete(id),
  };
}

/** As a person finds it offered, but for what they change. */
const plan = (rules: readonly FileRule[], change: Partial<ImportChoice> = {}, there = here) =>
  planImport(
    rules.map((given) => ({ given, choice: { ...defaultChoice(given, there), ...change } })),
    there,
  );

describe('rules that are imported', () => {
  it('come off, and take the place of a rule of their id as that was on or off', () => {
    expect(plan([north, { ...south, on: true }])).toMatchObject([
      { rule: { id: 'north', on: true, accountId: 'mara' } },
      { rule: { id: 'south', on: false } },
    ]);
    expect(replacedBy(north, here)?.name).toBe('Before');
  });

  it('stand beside a rule of their id, off and under an id of their own, where a person wants both', () => {
    const [beside] = plan([north], { replace: false, folder: '/data/copy' });
    expect(beside).toMatchObject({ rule: { on: false, folder: '/data/copy' } });
    expect(beside?.rule.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('keep the account that they name, signed in or not, unless a person chooses another', () => {
    expect(plan([south])).toMatchObject([{ rule: { accountId: 'stranger' }, takeExisting: false }]);
    const { accountId: _, ...unnamed } = south;
    expect(plan([unnamed])).toMatchObject([{ rule: { accountId: 'jo' } }]);
    expect(plan([south], { accountId: 'mara', takeExisting: true })).toMatchObject([
      { rule: { accountId: 'mara' }, takeExisting: true },
    ]);
  });

  it('get an id where they have none', () => {
    const { id: _, ...nameless } = south;
    expect(plan([nameless])[0]?.rule.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('replace a rule of the same folder and name if they have no id', () => {
    const { id: _, ...unidentified } = north;
    const there = { ...here, rules: [{ ...north, on: true }] };
    expect(plan([{ ...unidentified, ignore: ['*.tmp'] }], {}, there)).toMatchObject([
      { rule: { id: 'north', on: true } },
    ]);
    expect(plan([unidentified], { replace: false }, there)[0]?.rule.id).not.toBe('north');
  });

  it('never take the place of one of the policy', () => {
    const locked = aWatchRule({ id: policyRuleId('office'), folder: '/data/office' });
    const [planned] = plan([locked], {}, { ...here, rules: [locked] });
    expect(planned).toMatchObject({ rule: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
  });

  it('are kept all or not at all', async () => {
    const watch = keeper(here.rules, 'south');
    const west = aWatchRule({ id: 'west', folder: '/w' });
    const late = await importRules(plan([north, west, south]), here, watch);
    expect(late).toMatchObject({ rule: { id: 'south' }, error: { code: 'watch-folder-missing' } });
    expect([...watch.kept.values()]).toEqual(here.rules);
    expect(await importRules(plan([north]), here, watch)).toBeNull();
    expect([...watch.kept.values()]).toEqual([north]);
  });
});
