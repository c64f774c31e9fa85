import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../main/ports.ts';

const day = 24 * 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('systemClock.sleep(): sleeps longer than Node’s longest timer, and not less', async () => {
  const onWake = vi.fn();
  const sleeping = systemClock.sleep(60 * day).then(onWake);
  await vi.advanceTimersByTimeAsync(60 * day - 1);
  expect(onWake).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await sleeping;
  expect(onWake).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

it('systemClock.sleep(): wakes on abort and leaves no timer', async () => {
  const stop = new AbortController();
  const sleeping = systemClock.sleep(60 * day, stop.signal);
  await vi.advanceTimersByTimeAsync(30 * day);
  stop.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow('enough');
  expect(vi.getTimerCount()).toBe(0);
});

it('systemClock.sleep(): rejects immediately if already aborted', async () => {
  await expect(systemClock.sleep(day, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  expect(vi.getTimerCount()).toBe(0);
});
