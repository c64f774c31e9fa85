import { expect, it } from 'vitest';
import { type RuleRunner, Runners } from '../../../main/watch/runner.ts';
import { ruleOn } from '../../integration/watch/fixture.ts';

/** Creates runners of one rule and counts how many run at once. */
function createBench() {
  let rule: ReturnType<typeof ruleOn> | undefined = ruleOn('/in', { id: 'rule' });
  const running = new Set<{ readonly name: string }>();
  let most = 0;
  const runners = new Runners({
    ruleOf: () => rule,
    make: ({ name }) => {
      const made = { name };
      return {
        start: () => {
          running.add(made);
          most = Math.max(most, running.size);
        },
        stop: async () => {
          // The delay lets restarts overlap with the stop.
          for (let turn = 0; turn < 5; turn++) await Promise.resolve();
          running.delete(made);
        },
      } as unknown as RuleRunner;
    },
  });
  const change = (to: Partial<NonNullable<typeof rule>> | null) => {
    rule = rule && to ? { ...rule, ...to } : undefined;
    return runners.renew('rule');
  };
  return { runners, running, change, most: () => most };
}

it('runs a rule once with its latest settings after rapid changes', async () => {
  const bench = createBench();
  await Promise.all(['one', 'two', 'three', 'four'].map((name) => bench.change({ name })));
  expect([...bench.running]).toMatchObject([{ name: 'four' }]);
  await Promise.all([bench.change({ name: 'five' }), bench.change({ name: 'six' })]);
  expect([...bench.running]).toMatchObject([{ name: 'six' }]);
  expect(bench.most()).toBe(1);
});

it('runs nothing for a rule that is paused or removed immediately', async () => {
  const bench = createBench();
  await Promise.all([bench.change({ on: true }), bench.change({ on: false })]);
  expect(bench.running.size).toBe(0);
  await Promise.all([bench.change({ on: true }), bench.change(null)]);
  expect(bench.running.size).toBe(0);
});

it('starts no runner after stop()', async () => {
  const bench = createBench();
  const started = bench.change({ name: 'one' });
  await bench.runners.stop();
  await started;
  await bench.change({ name: 'two' });
  expect(bench.running.size).toBe(0);
});
