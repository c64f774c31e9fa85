import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorMessage } from '../../../renderer/say.ts';
import { type House, hasStatus, historyTexts, isCreation, openHouse } from './house.ts';

let house: House;

afterEach(() => house.close());

const mebibyte = 1024 * 1024;
const creations = () => house.service.control.requests().filter(isCreation);

/** A house whose line has shown that 1 MB takes 1 s, and where credentials live `lifeMs`. */
async function openSlowHouse(lifeMs: number): Promise<void> {
  house = await openHouse({}, { credentialLifeMs: lifeMs });
  house.journal().addSpeed('me', { bytes: 1e6, files: 0, ms: 1000 });
}

const asks = (job: { readonly waitingFor: string | null }) => job.waitingFor === 'confirmation';

describe('upload that will probably outlive its credentials', () => {
  it('asks before anything is created', async () => {
    await openSlowHouse(5_000);
    const id = house.add(await house.source({ 'a.las': 9 * mebibyte }));

    const job = await house.until(id, asks);

    expect(job).toMatchObject({
      status: 'creating',
      actions: ['confirm', 'cancel'],
      error: { code: 'forecast-too-long' },
      credentialsEndAt: null,
    });
    expect(job.error && errorMessage(job.error)).toContain('9\u00a0s at 1.0\u00a0MB/s');
    expect(creations()).toEqual([]);
    expect(house.jobs.forecast('me', 9 * mebibyte, 1)?.shareOfLife).toBeCloseTo(1.887, 2);
  });

  it('continues on the user’s decision', async () => {
    await openSlowHouse(5_000);
    const id = house.add(await house.source({ 'a.las': 9 * mebibyte }));
    await house.until(id, asks);

    await house.jobs.act(id, 'confirm');

    const done = await house.until(id, hasStatus('complete'));
    expect(done).toMatchObject({ error: null, waitingFor: null });
    expect(historyTexts(house, id)).toContain('You chose to upload anyway');
    expect(creations()).toHaveLength(1);
  });

  it('doesn’t ask if the user agreed beforehand', async () => {
    await openSlowHouse(5_000);
    const paths = [await house.source({ 'a.las': 9 * mebibyte })];
    const body = { name: 'A', type: '3DTILES', options: { sourceType: 'POINT_CLOUD' } } as const;

    const id = house.jobs.add({ accountId: 'me', paths, body, acceptForecast: true });

    await house.until(id, hasStatus('complete'));
  });

  it('leaves the line to other jobs while it waits', async () => {
    await openSlowHouse(5_000);
    const large = house.add(await house.source({ 'a.las': 9 * mebibyte }));
    await house.until(large, asks);

    await house.until(house.add(await house.source({ 'b.las': 100 })), hasStatus('complete'));

    expect(house.jobs.get(large)?.waitingFor).toBe('confirmation');
  });

  it('waits after a restart and can be cancelled', async () => {
    await openSlowHouse(5_000);
    const id = house.add(await house.source({ 'a.las': 9 * mebibyte }));
    await house.until(id, asks);

    await house.restart({ credentialLifeMs: 5_000 });

    expect(house.jobs.get(id)).toMatchObject({ waitingFor: 'confirmation', actions: ['confirm', 'cancel'] });
    await house.jobs.act(id, 'cancel');
    expect(house.jobs.get(id)?.status).toBe('cancelled');
    expect(creations()).toEqual([]);
  });

  it('doesn’t ask if the time suffices or the line’s speed is unknown', async () => {
    await openSlowHouse(60_000);
    await house.until(house.add(await house.source({ 'a.las': 9 * mebibyte })), hasStatus('complete'));
    await house.close();

    house = await openHouse({}, { credentialLifeMs: 1_000 });
    expect(house.jobs.forecast('me', 1e15, 1)).toBeNull();
    await house.until(house.add(await house.source({ 'a.las': 100 })), hasStatus('complete'));
  });
});

describe('speed of the line', () => {
  it('is measured during an upload and stored for the next start', async () => {
    house = await openHouse();
    house.service.control.addFault({
      match: { room: 'storage', method: 'PUT' },
      action: { kind: 'delay', ms: 300 },
    });
    await house.until(house.add(await house.source({ 'a.las': 4 * mebibyte })), hasStatus('complete'));

    await house.restart();

    const told = house.jobs.forecast('me', 4 * mebibyte, 1);
    expect(told?.seconds).toBeGreaterThan(0.2);
    expect(told?.seconds).toBeLessThan(20);
    expect(house.jobs.forecast('somebody else', 4 * mebibyte, 1)).toBeNull();
  });

  it('is at most the bandwidth limit', async () => {
    house = await openHouse({}, { bandwidth: () => ({ limit: 100_000, timetable: [] }) });
    house.journal().addSpeed('me', { bytes: 1e9, files: 0, ms: 1000 });

    expect(house.jobs.forecast('me', 1e6, 1)?.seconds).toBe(10);
  });
});

describe('running credentials', () => {
  it('show the remaining time while uploading, and disappear afterwards', async () => {
    house = await openHouse();
    house.service.control.addFault({
      match: { room: 'storage', method: 'PUT', path: 'partNumber=', after: 1, times: 100 },
      action: { kind: 'stall' },
    });
    const id = house.add(await house.source({ 'a.las': 40 * mebibyte }));
    const before = Date.now();
    const job = await house.until(id, (job) => job.partsDone === 1);

    const hour = 3_600_000;
    expect(job.credentialsEndAt).toBeGreaterThan(before - 5_000 + hour);
    expect(job.credentialsEndAt).toBeLessThanOrEqual(Date.now() + hour);
    house.service.control.clearFaults();
    await house.jobs.act(id, 'pause');
    expect(house.jobs.get(id)?.credentialsEndAt).toBe(job.credentialsEndAt);
    await house.jobs.act(id, 'resume');
    expect((await house.until(id, hasStatus('complete'))).credentialsEndAt).toBeNull();
  });

  it('report how far the upload came when they expire, and allow a new start', async () => {
    house = await openHouse();
    house.service.control.addFault({
      match: { room: 'storage', method: 'PUT', path: 'partNumber=', after: 2, times: 100 },
      action: { kind: 'status', status: 400, body: '<Error><Code>ExpiredToken</Code></Error>' },
    });
    const id = house.add(await house.source({ 'a.las': 40 * mebibyte }));

    const job = await house.until(id, hasStatus('expired'));

    expect(job.actions).toEqual(['start-again', 'remove']);
    expect(historyTexts(house, id).at(-1)).toMatch(
      /^The storage credentials expired .* of 41\.9\u00a0MB had been uploaded\.$/,
    );
    house.service.control.clearFaults();
    await house.jobs.act(id, 'start-again');
    const again = house.jobs.list()[0];
    await house.until(again?.id ?? '', hasStatus('complete'));
    expect(house.service.control.assets()).toHaveLength(2);
    await vi.waitFor(() => expect(house.vault.entries.size).toBe(0));
  });
});
