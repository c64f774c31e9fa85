import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { TileliftError, toErrorRecord } from '../../../../main/errors.ts';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import {
  applyChanges,
  findPresent,
  identifyRule,
  logLateRules,
  reconcile,
} from '../../../../main/watch/rules/reconcile.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';

const ids = ['a', 'b', 'c', 'd', 'e'] as const;
const anyRule = fc
  .record({ id: fc.constantFrom(...ids), name: fc.constantFrom('North', 'South'), on: fc.boolean() })
  .map((fields) => aWatchRule({ folder: '/data', ...fields }));
const anyRules = fc.uniqueArray(anyRule, { selector: ({ id }) => id });
const anyOwned = fc
  .subarray([...ids])
  .map((owned) => (rule: WatchRule) => owned.some((id) => id === rule.id));

const newOnly = { takeExisting: () => false };

/** Saves and removes as the watch service does; refuses rules of these IDs. */
function rulesOf(present: readonly WatchRule[], refusedIds: readonly string[] = []) {
  const stored = new Map(present.map((rule) => [rule.id, rule]));
  const saved: (readonly [id: string, takeExisting: boolean])[] = [];
  return {
    stored,
    saved,
    save: async (rule: WatchRule, takeExisting: boolean) => {
      if (refusedIds.includes(rule.id)) throw new TileliftError('watch-folder-missing');
      saved.push([rule.id, takeExisting]);
      stored.set(rule.id, rule);
    },
    remove: (id: string) => void stored.delete(id),
  };
}

describe('reconcile()', () => {
  it('saves all requested rules, removes only owned ones, and keeps the others', async () => {
    await fc.assert(
      fc.asyncProperty(anyRules, anyRules, anyOwned, async (requested, present, owns) => {
        const watch = rulesOf(present);
        const changes = reconcile(requested, present, owns);
        expect(await applyChanges(changes, watch, newOnly)).toEqual([]);
        for (const rule of requested) expect(watch.stored.get(rule.id)).toEqual(rule);
        for (const rule of present)
          if (!requested.some(({ id }) => id === rule.id))
            expect(watch.stored.get(rule.id)).toEqual(owns(rule) ? undefined : rule);
        expect(reconcile(requested, [...watch.stored.values()], owns)).toEqual({
          ...{ add: [], change: [], remove: [] },
        });
      }),
    );
  });

  it('saves nothing that is present already', () => {
    fc.assert(
      fc.property(anyRules, (rules) => {
        expect(reconcile(rules, structuredClone(rules), () => true)).toEqual({
          ...{ add: [], change: [], remove: [] },
        });
      }),
    );
  });

  it('uploads existing files of new rules only', async () => {
    const [north, south] = [aWatchRule({ id: 'a', folder: '/a' }), aWatchRule({ id: 'b', folder: '/b' })];
    const watch = rulesOf([north]);
    await applyChanges(
      reconcile([{ ...north, name: 'Renamed' }, south], [north], () => false),
      watch,
      { takeExisting: (_rule, previous) => !previous },
    );
    expect(watch.saved).toEqual([
      ['a', false],
      ['b', true],
    ]);
  });

  it('returns the rules that cannot be saved yet, and saves the others', async () => {
    const [north, south] = [aWatchRule({ id: 'a', folder: '/a' }), aWatchRule({ id: 'b', folder: '/b' })];
    const watch = rulesOf([], ['a']);
    const lateRules = await applyChanges(
      reconcile([north, south], [], () => false),
      watch,
      newOnly,
    );
    expect(lateRules).toMatchObject([{ rule: north, error: { code: 'watch-folder-missing' } }]);
    expect([...watch.stored.keys()]).toEqual(['b']);
  });

  it('restores all present rules after the first error if it is atomic', async () => {
    await fc.assert(
      fc.asyncProperty(anyRules, anyRules, fc.constantFrom(...ids), async (requested, present, refusedId) => {
        const watch = rulesOf(present);
        const { save } = watch;
        watch.save = async (rule, takeExisting) => {
          if (rule.id === refusedId && rule.on && !present.includes(rule))
            throw new TileliftError('watch-folder-missing');
          await save(rule, takeExisting);
        };
        const changes = reconcile(requested, present, () => false);
        const [late] = await applyChanges(changes, watch, { ...newOnly, isAtomic: true });
        if (late) expect(new Map(watch.stored)).toEqual(new Map(present.map((rule) => [rule.id, rule])));
        else for (const rule of requested) expect(watch.stored.get(rule.id)).toEqual(rule);
      }),
    );
  });
});

describe('identifyRule()', () => {
  it('identifies a rule by its ID, or else by folder and name', () => {
    const { id: _, ...rule } = aWatchRule({ folder: '/data/north', name: 'North' });
    const identity = identifyRule(rule);
    expect(identifyRule({ ...rule, id: 'own' })).toBe('own');
    expect(identifyRule({ ...rule, ...{ ignore: ['*.tmp'], on: false } })).toBe(identity);
    expect(identifyRule({ ...rule, name: 'South' })).not.toBe(identity);
    const present = [{ ...rule, id: 'a' }];
    expect(findPresent(rule, present)?.id).toBe('a');
    expect(findPresent({ ...rule, id: 'b' }, present)).toBeNull();
  });
});

it('logLateRules() says in a sentence why a rule can’t work, once for each reason', () => {
  const rule = aWatchRule({ id: 'a', name: 'North', folder: '/mnt/north' });
  const late = (code: 'watch-folder-missing' | 'watch-folder-unreadable') => ({
    rule,
    error: toErrorRecord(new TileliftError(code, { subject: rule.folder })),
  });
  const log = { error: vi.fn() };
  const missing = [late('watch-folder-missing')];
  logLateRules(missing, [], log);
  logLateRules(missing, missing, log);
  expect(log.error.mock.calls).toEqual([
    [
      expect.objectContaining({ rule: 'North', folder: '/mnt/north' }),
      expect.stringMatching(/^a rule can’t work yet: .*\/mnt\/north.*\.$/),
    ],
  ]);
  logLateRules([late('watch-folder-unreadable')], missing, log);
  expect(log.error).toHaveBeenCalledTimes(2);
});
