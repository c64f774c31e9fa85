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
): WatchEnd => ({ ruleId: rule, ruleName: rule, source, outcome, jobId: 'job', endedAt: 0, error: null });

function summary() {
  const clock = manualClock();
  const notices: { readonly at: number; readonly sources: readonly string[] }[] = [];
  const begunAt = clock.now();
  const { add, stop } = createWatchSummary(clock, (watchEnds) => {
    notices.push({ at: clock.now() - begunAt, sources: watchEnds.map(({ source }) => source) });
  });
  const passTime = async (ms: number) => {
    clock.advance(ms);
    await setImmediate();
  };
  return { clock, told: notices, add, stop, pass: passTime };
}

it('createWatchSummary() notifies five seconds after the first end, with all ends until then', async () => {
  const { told: notices, add, pass: passTime } = summary();
  add(end('a'));
  await passTime(gatherMs - 1);
  add(end('b'));
  expect(notices).toEqual([]);
  await passTime(1);
  expect(notices).toEqual([{ at: gatherMs, sources: ['a', 'b'] }]);
});

it('createWatchSummary() waits ten minutes after a notice when more ends follow soon', async () => {
  const { told: notices, add, pass: passTime } = summary();
  add(end('a'));
  await passTime(gatherMs);
  add(end('b'));
  await passTime(quietMs - 1);
  add(end('c'));
  expect(notices).toHaveLength(1);
  await passTime(1);
  expect(notices[1]).toEqual({ at: gatherMs + quietMs, sources: ['b', 'c'] });
});

it('createWatchSummary() notifies after five seconds again once it was quiet', async () => {
  const { told: notices, add, pass: passTime } = summary();
  add(end('a'));
  await passTime(gatherMs);
  await passTime(quietMs);
  add(end('b'));
  await passTime(gatherMs);
  expect(notices).toHaveLength(2);
});

it('createWatchSummary() waits at most ten minutes when the clock is set back', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (now, toldAt) => {
      const delay = summaryDelay(now, toldAt);
      expect(delay).toBeGreaterThanOrEqual(gatherMs);
      expect(delay).toBeLessThanOrEqual(quietMs);
    }),
  );
});

it('createWatchSummary() reports each end exactly once, in order, with at most one notice in ten minutes', async () => {
  // Steps of about both intervals, with ends between them.
  const step = fc.oneof(
    fc.constant('end' as const),
    fc.integer({ min: 1, max: 2 * gatherMs }),
    fc.integer({ min: 1, max: 2 * quietMs }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { told: notices, add, pass: passTime } = summary();
      const endedIds: string[] = [];
      for (const item of steps) {
        if (item === 'end') {
          endedIds.push(String(endedIds.length));
          add(end(String(endedIds.length - 1)));
        } else await passTime(item);
      }
      await passTime(quietMs);
      expect(notices.flatMap(({ sources }) => sources)).toEqual(endedIds);
      const gaps = notices.slice(1).map(({ at }, place) => at - (notices[place]?.at ?? 0));
      expect(gaps.every((gap) => gap >= quietMs)).toBe(true);
    }),
  );
});

it('createWatchSummary() stops notifying after stop()', async () => {
  const { clock, told: notices, add, stop, pass: passTime } = summary();
  add(end('a'));
  stop();
  expect(clock.sleepers()).toBe(0);
  await passTime(gatherMs);
  expect(notices).toEqual([]);
});

describe('summaryWords()', () => {
  const words = (...watchEnds: WatchEnd[]) => summaryWords(watchEnds).body;

  it('summaryWords() counts complete and failed assets', () => {
    const complete = Array.from({ length: 12 }, (_, place) => end(String(place)));
    expect(words(...complete, end('x', 'failed'))).toBe('Drone landings: 12 assets complete, 1 failed');
  });

  it('summaryWords() uses the singular for one asset', () => {
    expect(words(end('a'))).toBe('Drone landings: 1 asset complete');
    expect(words(end('a', 'failed'))).toBe('Drone landings: 1 asset failed');
  });

  it('summaryWords() has a line per folder, and one for all after the third', () => {
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

  it('summaryWords() uses the current name of a folder', () => {
    const renamed = { ...end('b'), ruleName: 'Landings' };
    expect(words(end('a'), renamed)).toBe('Landings: 2 assets complete');
  });
});

const now = new Date(2026, 2, 1, 14, 0).getTime();
const hour = 3_600_000;

function desktop(isOn = true) {
  const settings = settingsInMemory();
  settings.update({ background: { ...settings.get().background, notify: isOn } });
  const notices: Notice[] = [];
  let tell: (outage: Outage) => void = () => {};
  const onOutage = (listener: typeof tell) => {
    tell = listener;
    return () => {};
  };
  notifyOfOutages(
    { onOutage },
    { settings, clock: { now: () => now }, notify: (notice) => notices.push(notice) },
  );
  tell({ kind: 'begun', startedAt: now - 3 * hour });
  tell({ kind: 'over', startedAt: now - 3 * hour, ms: 3 * hour, sources: 12 });
  return notices.map(({ title, body }) => `${title}: ${body}`);
}

it('watch notices report a lasting outage and its end: since when, how long and what continues', () => {
  expect(desktop()).toEqual([
    'Service or storage is not answering: No answer since 11:00. Sources in watched folders wait and resume automatically.',
    'Service and storage are answering again: Outage: 3\u00a0h, from 11:00. 12 sources continue now.',
  ]);
});

it('watch notices stay silent when notifications are off', () => expect(desktop(false)).toEqual([]));
