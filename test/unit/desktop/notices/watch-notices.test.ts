import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Notice } from '../../../../main/desktop/notices/notify.ts';
import {
  createWatchSummary,
  gatherMs,
  notifyOfOutages,
  quietMs,
  summaryDelay,
  summaryWords,
} from '../../../../main/desktop/notices/watch-notices.ts';
import type { Outage, WatchEnd } from '../../../../main/watch/model/model.ts';
import { manualClock, settingsInMemory } from '../../account/stand-ins.ts';

const end = (
  source: string,
  outcome: WatchEnd['outcome'] = 'complete',
  rule = 'Drone landings',
): WatchEnd => ({
  ruleId: rule,
  ruleName: rule,
  source,
  outcome,
  jobId: 'job',
  endedAt: 0,
  error: null,
});

function summary() {
  const clock = manualClock();
  const told: { readonly at: number; readonly sources: readonly string[] }[] = [];
  const begunAt = clock.now();
  const { add, stop } = createWatchSummary(clock, (ends) => {
    told.push({ at: clock.now() - begunAt, sources: ends.map(({ source }) => source) });
  });
  const pass = async (ms: number) => {
    clock.advance(ms);
    await setImmediate();
  };
  return { clock, told, add, stop, pass };
}

describe('when watched folders are told of', () => {
  it('is five seconds after the first end, with all that came meanwhile', async () => {
    const { told, add, pass } = summary();
    add(end('a'));
    await pass(gatherMs - 1);
    add(end('b'));
    expect(told).toEqual([]);
    await pass(1);
    expect(told).toEqual([{ at: gatherMs, sources: ['a', 'b'] }]);
  });

  it('is ten minutes after the last time when more ends soon', async () => {
    const { told, add, pass } = summary();
    add(end('a'));
    await pass(gatherMs);
    add(end('b'));
    await pass(quietMs - 1);
    add(end('c'));
    expect(told).toHaveLength(1);
    await pass(1);
    expect(told[1]).toEqual({ at: gatherMs + quietMs, sources: ['b', 'c'] });
  });

  it('is five seconds again after a quiet time', async () => {
    const { told, add, pass } = summary();
    add(end('a'));
    await pass(gatherMs);
    await pass(quietMs);
    add(end('b'));
    await pass(gatherMs);
    expect(told).toHaveLength(2);
  });

  it('is never later than ten minutes because a clock was set back', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (now, toldAt) => {
        const delay = summaryDelay(now, toldAt);
        expect(delay).toBeGreaterThanOrEqual(gatherMs);
        expect(delay).toBeLessThanOrEqual(quietMs);
      }),
    );
  });

  it('is each end exactly once, in order, and never twice within ten minutes', async () => {
    // Waits of about the size of both times, and ends between them.
    const step = fc.oneof(
      fc.constant('end' as const),
      fc.integer({ min: 1, max: 2 * gatherMs }),
      fc.integer({ min: 1, max: 2 * quietMs }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { told, add, pass } = summary();
        const ended: string[] = [];
        for (const one of steps) {
          if (one === 'end') {
            ended.push(String(ended.length));
            add(end(String(ended.length - 1)));
          } else await pass(one);
        }
        await pass(quietMs);
        expect(told.flatMap(({ sources }) => sources)).toEqual(ended);
        const gaps = told.slice(1).map(({ at }, place) => at - (told[place]?.at ?? 0));
        expect(gaps.every((gap) => gap >= quietMs)).toBe(true);
      }),
    );
  });

  it('is never after a stop', async () => {
    const { clock, told, add, stop, pass } = summary();
    add(end('a'));
    stop();
    expect(clock.sleepers()).toBe(0);
    await pass(gatherMs);
    expect(told).toEqual([]);
  });
});

describe('what is said of watched folders', () => {
  const words = (...ends: WatchEnd[]) => summaryWords(ends).body;

  it('is how many are complete and how many failed', () => {
    const complete = Array.from({ length: 12 }, (_, place) => end(String(place)));
    expect(words(...complete, end('x', 'failed'))).toBe('Drone landings: 12 assets complete, 1 failed');
  });

  it('is said in the singular of one', () => {
    expect(words(end('a'))).toBe('Drone landings: 1 asset complete');
    expect(words(end('a', 'failed'))).toBe('Drone landings: 1 asset failed');
  });

  it('has a line for each folder, and one for those beyond the third', () => {
    const folders = ['A', 'B', 'C', 'D', 'E'];
    expect(words(...folders.map((folder) => end('a', 'complete', folder)))).toBe(
      [
        'A: 1 asset complete',
        'B: 1 asset complete',
        'C: 1 asset complete',
        'Other folders: 2 assets complete',
      ].join('\n'),
    );
  });

  it('uses a folder’s name of now', () => {
    const renamed = { ...end('b'), ruleName: 'Landings' };
    expect(words(end('a'), renamed)).toBe('Landings: 2 assets complete');
  });
});

const now = new Date(2026, 2, 1, 14, 0).getTime();
const hour = 3_600_000;

function desktop(wanted = true) {
  const settings = settingsInMemory();
  settings.update({ background: { ...settings.get().background, notify: wanted } });
  const told: Notice[] = [];
  let tell: (outage: Outage) => void = () => {};
  const onOutage = (listener: typeof tell) => {
    tell = listener;
    return () => {};
  };
  notifyOfOutages({ onOutage }, { settings, clock: { now: () => now }, notify: (one) => told.push(one) });
  tell({ kind: 'begun', startedAt: now - 3 * hour });
  tell({ kind: 'over', startedAt: now - 3 * hour, ms: 3 * hour, sources: 12 });
  return told.map(({ title, body }) => `${title}: ${body}`);
}

it('reports an outage when it has lasted, and when it is over: since when, for how long, what continues', () => {
  expect(desktop()).toEqual([
    'Service or storage is not responding: No response since 11:00. Sources in watched folders wait and resume automatically.',
    'Service and storage are responding again: Outage: 3\u00a0h, from 11:00. 12 sources continue now.',
  ]);
});

it('tells nobody who wants no notices', () => {
  expect(desktop(false)).toEqual([]);
});
