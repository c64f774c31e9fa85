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

/** Stores rules like the watch service, and rejects one. */
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

/** Plans an import with the default choices apart from these changes. */
const plan = (rules: readonly FileRule[], change: Partial<ImportChoice> = {}, there = here) =>
  planImport(
    rules.map((given) => ({ given, choice: { ...defaultChoice(given, there), ...change } })),
    there,
  );

describe('planImport() and importRules()', () => {
  it('replaces a rule with the same ID, on or off as before, and adds new rules turned off', () => {
    expect(plan([north, { ...south, on: true }])).toMatchObject([
      { rule: { id: 'north', on: true, accountId: 'mara' } },
      { rule: { id: 'south', on: false } },
    ]);
    expect(replacedBy(north, here)?.name).toBe('Before');
  });

  it('adds a rule turned off with a new ID if the user keeps both', () => {
    const [beside] = plan([north], { replace: false, folder: '/data/copy' });
    expect(beside).toMatchObject({ rule: { on: false, folder: '/data/copy' } });
    expect(beside?.rule.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('keeps the account that a rule names unless the user chooses another', () => {
    expect(plan([south])).toMatchObject([{ rule: { accountId: 'stranger' }, takeExisting: false }]);
    const { accountId: _, ...unnamed } = south;
    expect(plan([unnamed])).toMatchObject([{ rule: { accountId: 'jo' } }]);
    expect(plan([south], { accountId: 'mara', takeExisting: true })).toMatchObject([
      { rule: { accountId: 'mara' }, takeExisting: true },
    ]);
  });

  it('assigns an ID to rules without one', () => {
    const { id: _, ...nameless } = south;
    expect(plan([nameless])[0]?.rule.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('replaces a rule with the same folder and name if the imported one has no ID', () => {
    const { id: _, ...unidentified } = north;
    const there = { ...here, rules: [{ ...north, on: true }] };
    expect(plan([{ ...unidentified, ignore: ['*.tmp'] }], {}, there)).toMatchObject([
      { rule: { id: 'north', on: true } },
    ]);
    expect(plan([unidentified], { replace: false }, there)[0]?.rule.id).not.toBe('north');
  });

  it('S94: never replaces a policy rule with an imported one', () => {
    const locked = aWatchRule({ id: policyRuleId('office'), folder: '/data/office' });
    const [planned] = plan([locked], {}, { ...here, rules: [locked] });
    expect(planned).toMatchObject({ rule: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
  });

  it('imports all rules or none', async () => {
    const watch = keeper(here.rules, 'south');
    const west = aWatchRule({ id: 'west', folder: '/w' });
    const late = await importRules(plan([north, west, south]), here, watch);
    expect(late).toMatchObject({ rule: { id: 'south' }, error: { code: 'watch-folder-missing' } });
    expect([...watch.kept.values()]).toEqual(here.rules);
    expect(await importRules(plan([north]), here, watch)).toBeNull();
    expect([...watch.kept.values()]).toEqual([north]);
  });
});
