import { expect, it } from 'vitest';
import { WakeSignal } from '../../../../main/watch/model/scheduling.ts';

const never = Number.POSITIVE_INFINITY;

it('continues when it rings', async () => {
  const bell = new WakeSignal();
  const waiting = bell.wait(never);
  bell.wake();
  await waiting;
});

it('does not lose a ring that came before anyone waited', async () => {
  const bell = new WakeSignal();
  bell.wake();
  await bell.wait(never);
});

it('continues when its time has come, and rings once for many', async () => {
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
