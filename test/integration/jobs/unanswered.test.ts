import { afterEach, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../main/ports.ts';
import { type House, hasStatus, historyTexts, openHouse } from './house.ts';

let house: House;
afterEach(() => house.close());

/** Waits end only on a request to retry. */
const endlessPauses: Clock = {
  now: () => systemClock.now(),
  elapsed: () => systemClock.elapsed(),
  sleep: (ms, signal) => systemClock.sleep(ms >= 1_000 ? 1_000_000 : 1, signal),
};

it('reports silent storage without the old speed, and retries on request', async () => {
  house = await openHouse({}, { clock: endlessPauses });
  await house.service.control.closeStorage();
  const id = house.add(await house.source({ 'a.las': 3_000_000 }));

  const waitingJob = await house.until(
    id,
    ({ waitingFor, nextTryAt }) => waitingFor === 'network' && nextTryAt !== null,
  );

  expect(waitingJob.error).toEqual({
    code: 'storage-unreachable',
    subject: expect.stringContaining('127.0.0.1'),
    retryable: true,
  });
  expect(waitingJob).toMatchObject({ bytesPerSecond: null, secondsLeft: null, concurrency: null });
  expect(waitingJob.actions).toContain('try-now');
  expect(historyTexts(house, id).join()).not.toContain('ECONNREFUSED');

  await house.service.control.openStorage();
  await house.jobs.act(id, 'try-now');

  const completeJob = await house.until(id, hasStatus('complete'));
  expect(completeJob.nextTryAt).toBeNull();
  expect(completeJob.actions).not.toContain('try-now');
});
