import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type House, hasStatus, historyTexts, openHouse } from './house.ts';

let house: House;

beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());

const mebibyte = 1024 * 1024;
const storageRequests = (method: string, pattern: RegExp) =>
  house.service.control
    .requests()
    .filter(
      (request) =>
        request.room === 'storage' &&
        request.method === method &&
        pattern.test(request.path) &&
        request.status !== 0,
    );

/** An upload of five parts with two of them confirmed and the others never answered. */
async function halfSent(): Promise<string> {
  house.service.control.addFault({
    match: { room: 'storage', method: 'PUT', path: 'partNumber=', after: 2, times: 100 },
    action: { kind: 'stall' },
  });
  const id = house.add(await house.source({ 'a.las': 40 * mebibyte }));
  await house.until(id, (job) => job.partsDone === 2);
  return id;
}

/** The same, stopped; storage answers again. */
async function halfUploaded(): Promise<string> {
  const id = await halfSent();
  await house.jobs.stop();
  house.service.control.clearFaults();
  return id;
}

async function expectWhole(assetId: number | null) {
  const [object, ...others] = await house.service.control.objects(`sources/${assetId}/`);
  expect(object?.size).toBe(40 * mebibyte);
  expect(others).toEqual([]);
  expect(house.service.control.openUploads()).toEqual([]);
}

describe('restart during an upload', () => {
  it('sends only missing parts', async () => {
    const id = await halfUploaded();
    const before = storageRequests('PUT', /partNumber=/).length;

    await house.restart();
    const job = await house.until(id, hasStatus('complete'));

    expect(storageRequests('PUT', /partNumber=/).length - before).toBe(3);
    expect(storageRequests('POST', /uploads/)).toHaveLength(1);
    expect(house.service.control.assets()).toHaveLength(1);
    await expectWhole(job.assetId);
  });

  it('trusts the journal if storage doesn’t list parts', async () => {
    const id = await halfUploaded();
    const before = storageRequests('PUT', /partNumber=/).length;
    house.service.control.addFault({
      match: { room: 'storage', method: 'GET', times: 10 },
      action: { kind: 'status', status: 403, body: '<Error><Code>AccessDenied</Code></Error>' },
    });

    await house.restart();
    const job = await house.until(id, hasStatus('complete'));

    expect(storageRequests('PUT', /partNumber=/).length - before).toBe(3);
    await expectWhole(job.assetId);
  });

  it('restarts a file whose upload storage lost, and reports it', async () => {
    const id = await halfUploaded();
    const before = storageRequests('PUT', /partNumber=/).length;
    house.service.control.addFault({
      match: { room: 'storage', method: 'GET' },
      action: { kind: 'status', status: 404, body: '<Error><Code>NoSuchUpload</Code></Error>' },
    });

    await house.restart();
    await house.until(id, hasStatus('complete'));

    expect(storageRequests('PUT', /partNumber=/).length - before).toBe(5);
    expect(historyTexts(house, id)).toContainEqual(expect.stringContaining('no longer has the upload'));
  });

  it('fails if the credentials weren’t stored', async () => {
    const id = await halfUploaded();
    house.vault.entries.clear();

    await house.restart();

    const job = await house.until(id, hasStatus('failed'));
    expect(job.error?.code).toBe('credentials-lost');
    expect(job.actions).toEqual(['start-again', 'remove']);
  });

  it('leaves a paused job paused with its confirmed parts', async () => {
    const id = await halfSent();
    await house.jobs.act(id, 'pause');
    house.service.control.clearFaults();

    await house.restart();

    expect(house.jobs.get(id)).toMatchObject({
      status: 'paused',
      partsDone: 2,
      bytesDone: 16 * mebibyte,
      actions: ['resume', 'cancel'],
    });
    await house.jobs.act(id, 'resume');
    await house.until(id, hasStatus('complete'));
  });
});

describe('restart in another state', () => {
  it('leaves ended jobs unchanged', async () => {
    const id = house.add(await house.source({ 'a.gml': 500 }));
    const done = await house.until(id, hasStatus('complete'));

    await house.restart();

    expect(house.jobs.get(id)).toEqual({ ...done, progressMessage: null });
    expect(house.service.control.assets()).toHaveLength(1);
  });

  it('keeps polling', async () => {
    await house.close();
    house = await openHouse({ tilingMs: 300 });
    const id = house.add(await house.source({ 'a.gml': 500 }));
    await house.until(id, hasStatus('tiling'));

    await house.restart();

    await house.until(id, hasStatus('complete'));
    expect(historyTexts(house, id)).toContain('Resumed after a restart');
  });

  it('repeats the completion', async () => {
    house.service.control.addFault({
      match: { room: 'api', path: 'uploadComplete', times: 1000 },
      action: { kind: 'stall' },
    });
    const id = house.add(await house.source({ 'a.gml': 500 }));
    await house.until(id, hasStatus('completing'));
    await house.jobs.stop();
    house.service.control.clearFaults();

    await house.restart();

    await house.until(id, hasStatus('complete'));
  });

  it('searches for an orphan if the creation was still open', async () => {
    house.service.control.addFault({
      match: { room: 'api', method: 'POST', path: '^/v1/assets$' },
      action: { kind: 'stall' },
    });
    const id = house.add(await house.source({ 'a.gml': 500 }));
    await house.untilAsked();
    await house.jobs.stop();
    const orphan = house.service.control.seedAsset({
      name: 'Altstadt',
      type: '3DTILES',
      status: 'AWAITING_FILES',
    });

    await house.restart();

    const job = await house.until(id, hasStatus('complete'));
    expect(job.assetId).not.toBe(orphan);
    expect(historyTexts(house, id)).toContainEqual(
      expect.stringContaining(`Asset ${orphan} was left behind`),
    );
  });
});
