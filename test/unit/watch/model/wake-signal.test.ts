import { expect, it } from 'vitest';
import { WakeSignal } from '../../../../main/watch/model/scheduling.ts';

const never = Number.POSITIVE_INFINITY;

it('WakeSignal resumes a waiter on wake()', async () => {
  const bell = new WakeSignal();
  const waiting = bell.wait(never);
  bell.wake();
  await waiting;
});

it('WakeSignal remembers a wake() that precedes wait()', async () => {
  const bell = new WakeSignal();
  bell.wake();
  await bell.wait(never);
});

it('WakeSignal resumes after the timeout and merges repeated wake() calls', async () => {
  const bell = new WakeSignal();
  await bell.wait(1);
  bell.wake();
  bell.wake();
  await bell.wait(never);
  let again = false;
  void bell.wait(never).then(() => {
    again = true;
  });
  await Promise.resolve();
  expect(again).toBe(false);
});
