import { afterEach, beforeEach, expect, it } from 'vitest';
import { type House, hasStatus } from '../integration/jobs/house.ts';
import type { FaultAction } from '../service/model.ts';
import { expectWhole, halfUploaded, openFaultHouse, partPuts, storageRequests } from './fault-house.ts';

let house: House;

beforeEach(async () => {
  house = await openFaultHouse({ service: { partsPerPage: 1 } });
});
afterEach(() => house.close());

/** Stops half-way, resumes with these faults of storage's listing, and counts the sent parts. */
async function resumeWith(...faults: readonly { action: FaultAction; after?: number; times?: number }[]) {
  const { id, source } = await halfUploaded(house);
  await house.jobs.stop();
  house.service.control.clearFaults();
  const previouslySent = partPuts(house).length;
  for (const { action, ...match } of faults) {
    house.service.control.addFault({ match: { room: 'storage', method: 'GET', ...match }, action });
  }
  await house.restart();
  const job = await house.until(id, hasStatus('complete'));
  return { job, source, sent: partPuts(house).length - previouslySent };
}

it('the restarted upload sends only missing parts after reading paged ListParts', async () => {
  const { job, source, sent: sentCount } = await resumeWith();

  expect(storageRequests(house, 'GET')).toHaveLength(2);
  expect(sentCount).toBe(3);
  await expectWhole(house, job, source);
});

it('the restarted upload retries a failing ListParts, then sends only missing parts', async () => {
  // The first page fails twice; then the second one is cut off.
  const {
    job,
    source,
    sent: sentCount,
  } = await resumeWith(
    { action: { kind: 'status', status: 500 }, times: 2 },
    { action: { kind: 'cut-answer', afterBytes: 300 }, after: 3 },
  );

  expect(storageRequests(house, 'GET').length).toBeGreaterThan(4);
  expect(sentCount).toBe(3);
  await expectWhole(house, job, source);
});

it('the restarted upload fails if its credentials weren’t stored', async () => {
  const { id } = await halfUploaded(house);
  house.vault.entries.clear();

  await house.restart();

  const job = await house.until(id, hasStatus('failed'));
  expect(job.error?.code).toBe('credentials-lost');
  expect(job.actions).toEqual(['start-again', 'remove']);
});
