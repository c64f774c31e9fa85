import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { gatherChanges } from '../../main/gather-changes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('gatherChanges() emits equal changes once, some time after the first', () => {
  const tell = vi.fn();
  const changes = gatherChanges<string>(100, tell);
  for (const change of ['a', 'b', 'a']) {
    changes.add(change);
    vi.advanceTimersByTime(40);
  }
  expect(tell.mock.calls).toEqual([[new Set(['a', 'b'])]]);
});

it('gatherChanges() shortens a long delay at the first urgent change', () => {
  const tell = vi.fn();
  const delays = [1_000, 50, 1_000];
  const changes = gatherChanges<number>(() => delays.shift() ?? 0, tell);
  for (const change of [1, 2, 3]) changes.add(change);
  vi.advanceTimersByTime(50);
  expect(tell.mock.calls).toEqual([[new Set([1, 2, 3])]]);
});

it('gatherChanges() emits immediately on flush, and nothing after stop', () => {
  const tell = vi.fn();
  const changes = gatherChanges<string>(100, tell);
  changes.add('a');
  changes.flush();
  expect(tell).toHaveBeenCalledTimes(1);
  changes.add('b');
  changes.stop();
  vi.advanceTimersByTime(1_000);
  expect(tell).toHaveBeenCalledTimes(1);
});
