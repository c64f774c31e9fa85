import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobSnapshot } from '../../../main/jobs/model.ts';
import { type Clock, systemClock } from '../../../main/ports.ts';
import { byTurn } from '../../../shared/queue.ts';
import { s3Error } from '../../faults/fault-house.ts';
import { body, type House, hasStatus, isCreation, openHouse } from './house.ts';

let house: House;

beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());

const mebibyte = 1024 * 1024;
const holdStorage = () =>
  house.service.control.addFault({
    match: { room: 'storage', method: 'PUT', times: 1000 },
    action: { kind: 'hold' },
  });
const queue = () =>
  house.jobs
    .list()
    .filter(({ isQueued }) => isQueued)
    .toSorted(byTurn)
    .map(({ id }) => id);

/** A job that sends while storage doesn't respond, and several jobs queued behind it. */
async function waitingIds(count: number): Promise<readonly string[]> {
  holdStorage();
  const firstId = house.add(await house.source({ 'a.las': 100 }));
  await house.until(firstId, hasStatus('uploading'));
  const ids: string[] = [];
  for (let at = 0; at < count; at++) ids.push(house.add(await house.source({ [`${at}.las`]: 100 })));
  return ids;
}

const whenUploaded = (id: string) => house.until(id, (job: JobSnapshot) => job.uploadedAt !== null);

it('the queue uploads the job that was moved first, also after a restart', async () => {
  const [a = '', b = '', c = ''] = await waitingIds(3);
  house.jobs.move([c], a);
  house.jobs.move([a], null);
  expect(queue()).toEqual([c, b, a]);

  await house.restart();
  expect(queue()).toEqual([c, b, a]);
  house.service.control.clearFaults();

  const [firstJob, secondJob, third] = await Promise.all([c, b, a].map(whenUploaded));
  expect(firstJob?.uploadedAt).toBeLessThanOrEqual(secondJob?.uploadedAt ?? 0);
  expect(secondJob?.uploadedAt).toBeLessThanOrEqual(third?.uploadedAt ?? 0);
  const assetIds = house.service.control.assets().map(({ id }) => id);
  expect([firstJob, secondJob, third].map((job) => job?.assetId)).toEqual(assetIds.slice(1));
});

it('the queue creates the asset with the name that a queued job was given, also after a restart', async () => {
  const [firstId = '', secondId = ''] = await waitingIds(2);
  house.jobs.rename(firstId, ' Harbour 2026 ');
  house.jobs.rename(secondId, ' ');
  expect(house.jobs.get(secondId)?.name).toBe(body.name);

  await house.restart();
  house.service.control.clearFaults();
  await whenUploaded(firstId);
  house.jobs.rename(firstId, 'Too late');
  expect(house.jobs.get(firstId)?.name).toBe('Harbour 2026');
  expect(house.service.control.assets()[1]?.name).toBe('Harbour 2026');
});

it('the queue keeps its order when several jobs upload at once', async () => {
  await house.close();
  house = await openHouse({}, { maxSending: 2 });
  holdStorage();
  const ids: string[] = [];
  for (let at = 0; at < 5; at++) ids.push(house.add(await house.source({ [`${at}.las`]: 100 })));
  const [, , c = '', d = '', e = ''] = ids;
  for (const id of ids.slice(0, 2)) await house.until(id, hasStatus('uploading'));
  expect(queue()).toEqual([c, d, e]);
  house.jobs.move([e], c);
  house.service.control.clearFaults();

  const jobs = await Promise.all([e, c, d].map(whenUploaded));
  const assetIds = house.service.control.assets().map(({ id }) => id);
  expect(jobs.map((job) => assetIds.indexOf(job.assetId ?? 0)).indexOf(4)).toBe(2);
});

it('the queue contains every job exactly once after any moves, ends and restarts', async () => {
  const ids = await waitingIds(6);
  const anyJob = fc.constantFrom(...ids);
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ ids: fc.array(anyJob), before: fc.option(anyJob) }) },
    { weight: 2, arbitrary: fc.record({ toggle: anyJob }) },
    { weight: 1, arbitrary: fc.constant('restart' as const) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      for (const nextStep of steps) {
        const previousQueue = queue();
        if (nextStep === 'restart') {
          await house.restart();
          expect(queue()).toEqual(previousQueue);
        } else if ('toggle' in nextStep) {
          const action = house.jobs.get(nextStep.toggle)?.status === 'paused' ? 'resume' : 'pause';
          await house.jobs.act(nextStep.toggle, action);
        } else house.jobs.move(nextStep.ids, nextStep.before);
        expect(queue().toSorted()).toEqual(ids.toSorted());
      }
    }),
    { numRuns: 15 },
  );
});

it('the queue pauses all jobs without starting one, and resumes them in order', async () => {
  const ids = await waitingIds(3);
  const allIds = house.jobs.list().map(({ id }) => id);

  expect(await house.jobs.actOn(allIds, 'pause')).toHaveLength(4);
  expect(house.jobs.list().map(({ status }) => status)).toEqual(Array(4).fill('paused'));
  expect(house.service.control.requests().filter(isCreation)).toHaveLength(1);
  expect(queue()).toEqual(ids);

  house.service.control.clearFaults();
  await house.jobs.actOn(allIds.toReversed(), 'resume');
  await Promise.all(allIds.map((id) => house.until(id, hasStatus('complete'))));
  const assetIds = house.service.control.assets().map(({ id }) => id);
  expect(ids.map((id) => house.jobs.get(id)?.assetId)).toEqual(assetIds.slice(1));
});

it('the queue shows sizes from earlier scans before a new one, also when started again', async () => {
  holdStorage();
  house.add(await house.source({ 'a.las': 100 }));
  const expected = { files: 2, bytes: 300 };
  const paths = [await house.source({ 'b.las': 100 })];
  const id = house.jobs.add({ accountId: 'me', paths, body, acceptForecast: false, expected });
  await house.restart();
  expect(house.jobs.get(id)).toMatchObject({ expected, bytesTotal: null });
  await house.jobs.act(id, 'cancel');
  await house.jobs.act(id, 'start-again');
  expect(house.jobs.list()[0]).toMatchObject({ status: 'queued', expected });
});

describe('removed job', () => {
  /** The job can be retried: its parts, open upload and credentials still exist. */
  const addFailed = async () => {
    house.service.control.addFault({
      match: { room: 'storage', method: 'PUT', path: 'partNumber=3', times: 10 },
      action: { kind: 'status', status: 400, body: s3Error('BadDigest') },
    });
    const id = house.add(await house.source({ 'a.las': 40 * mebibyte }));
    await house.until(id, hasStatus('failed'));
    return id;
  };

  it('removed job: restores it after a restart, which resumes where it failed', async () => {
    const id = await addFailed();
    const previous = house.jobs.get(id);
    expect(previous?.partsDone).toBeGreaterThan(0);

    await house.jobs.act(id, 'remove');
    expect(house.jobs.list()).toEqual([]);
    await house.restart();
    expect(house.jobs.list()).toEqual([]);

    expect(house.jobs.bringBack(null)).toEqual([id]);
    expect(house.jobs.get(id)).toEqual({ ...previous, partsSentAgain: 0 });
    await house.restart();
    await house.jobs.act(id, 'try-again');
    const job = await house.until(id, hasStatus('complete'));
    expect(job.assetId).toBe(previous?.assetId);
  });

  it('removed job: restores it without earlier ones', async () => {
    await house.close();
    // Both removals in one millisecond.
    const now = Date.now();
    house = await openHouse({}, { clock: { ...systemClock, now: () => now } });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      const id = house.add(await house.source({ [`${name}.las`]: 100 }));
      await house.until(id, hasStatus('complete'));
      ids.push(id);
    }
    const [a = '', b = '', c = ''] = ids;
    expect(await house.jobs.actOn([a, b], 'remove')).toEqual([a, b]);
    await house.jobs.actOn([c], 'remove');
    expect(house.jobs.bringBack([a])).toEqual([a]);
    expect(house.jobs.bringBack([a])).toEqual([]);
    expect(house.jobs.bringBack(null)).toEqual([c]);
    expect(house.jobs.list().map(({ id }) => id)).toEqual([c, a]);
  });

  it('removed job: deletes it with its files after ten minutes', async () => {
    await house.close();
    let advancedMs = 0;
    const clock: Clock = {
      now: () => Date.now() + advancedMs,
      elapsed: systemClock.elapsed,
      sleep: (ms, signal) => systemClock.sleep(ms >= 30_000 ? ms : Math.min(ms, 20), signal),
    };
    const removed: string[] = [];
    house = await openHouse({}, { clock, onRemoved: (id) => removed.push(id) });
    const id = await addFailed();
    await house.jobs.act(id, 'remove');
    expect(removed).toEqual([]);
    expect(house.vault.entries.size).toBe(1);
    expect(house.service.control.openUploads()).toHaveLength(1);

    advancedMs = 11 * 60_000;
    await house.restart({ clock });
    await expect.poll(() => house.service.control.openUploads(), { timeout: 10_000 }).toEqual([]);
    await expect.poll(() => house.vault.entries.size).toBe(0);
    expect(house.jobs.bringBack([id])).toEqual([]);
    expect(removed).toEqual([id]);
  });
});
