import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStorageClient } from '../../../main/workers/storage-client.ts';
import { type House, hasStatus, historyTexts, openHouse } from './house.ts';

let house: House;

beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());

const mebibyte = 1024 * 1024;
const partPuts = () =>
  house.service.control
    .requests()
    .filter(
      ({ room, method, path }) => room === 'storage' && method === 'PUT' && path.includes('partNumber='),
    );

const s3Error = (code: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message></Message></Error>`;

describe('transient storage trouble', () => {
  it.each([
    ['a reset in the middle of a part', { kind: 'cut-request', afterBytes: 100_000 }],
    ['a lost answer', { kind: 'cut-answer', afterBytes: 0 }],
    ['SlowDown', { kind: 'status', status: 503, body: s3Error('SlowDown') }],
    ['a bare 500', { kind: 'status', status: 500 }],
    ['RequestTimeout', { kind: 'status', status: 400, body: s3Error('RequestTimeout') }],
  ] as const)('repeats a part after %s', async (_name, action) => {
    house.service.control.addFault({ match: { room: 'storage', method: 'PUT', times: 2 }, action });

    const job = await house.until(
      house.add(await house.source({ 'a.las': 17 * mebibyte })),
      hasStatus('complete'),
    );

    expect(partPuts()).toHaveLength(5);
    expect(await house.service.control.objects(`sources/${job.assetId}/`)).toMatchObject([
      { size: 17 * mebibyte },
    ]);
  });

  it('drops a request without progress and repeats it', async () => {
    await house.close();
    house = await openHouse(
      {},
      { storageFor: (location) => createStorageClient(location, { stallMs: 200 }) },
    );
    house.service.control.addFault({ match: { room: 'storage', method: 'PUT' }, action: { kind: 'stall' } });

    await house.until(house.add(await house.source({ 'a.las': 1000 })), hasStatus('complete'));
  });

  it('corrects the clock when storage reports it as wrong', async () => {
    house.service.control.skewClock(20 * 60_000);

    await house.until(house.add(await house.source({ 'a.las': 9 * mebibyte })), hasStatus('complete'));
  });

  it('repeats a completion whose answer of 200 contains an error', async () => {
    house.service.control.addFault({
      match: { room: 'storage', method: 'POST', path: 'uploadId=' },
      action: { kind: 'status', status: 200, body: s3Error('InternalError') },
    });

    const job = await house.until(
      house.add(await house.source({ 'a.las': 9 * mebibyte })),
      hasStatus('complete'),
    );

    expect(await house.service.control.objects(`sources/${job.assetId}/`)).toHaveLength(1);
  });

  it('counts a file as completed if the unanswered request took effect', async () => {
    house.service.control.addFault({
      match: { room: 'storage', method: 'POST', path: 'uploadId=' },
      action: { kind: 'cut-answer', afterBytes: 0 },
    });

    await house.until(house.add(await house.source({ 'a.las': 9 * mebibyte })), hasStatus('complete'));

    expect(partPuts()).toHaveLength(2);
  });

  it('restarts a file whose upload storage lost', async () => {
    house.service.control.addFault({
      match: { room: 'storage', method: 'PUT', path: 'partNumber=2' },
      action: { kind: 'status', status: 404, body: s3Error('NoSuchUpload') },
    });

    const id = house.add(await house.source({ 'a.las': 17 * mebibyte }));
    const job = await house.until(id, hasStatus('complete'));

    expect(historyTexts(house, id)).toContainEqual(expect.stringContaining('resent from the start'));
    expect(job.bytesDone).toBe(17 * mebibyte);
  });

  it('fails after ten corrupt parts; a retry sends only missing parts', async () => {
    house.service.control.addFault({
      match: { room: 'storage', method: 'PUT', path: 'partNumber=3', times: 10 },
      action: { kind: 'status', status: 400, body: s3Error('BadDigest') },
    });
    const id = house.add(await house.source({ 'a.las': 40 * mebibyte }));
    const failed = await house.until(id, hasStatus('failed'));
    expect(failed.error).toMatchObject({ code: 'storage-mismatch', remote: { status: 400 } });
    const confirmed = failed.partsDone;
    const before = partPuts().length;

    await house.jobs.act(id, 'try-again');
    await house.until(id, hasStatus('complete'));

    expect(confirmed).toBeGreaterThan(0);
    expect(partPuts().length - before).toBe(5 - confirmed);
  });
});

describe('lasting storage trouble', () => {
  it('is shown while the job retries, and disappears with the first success', async () => {
    house.service.control.addFault({
      match: { room: 'storage', method: 'PUT', times: 6 },
      action: { kind: 'status', status: 503 },
    });
    const id = house.add(await house.source({ 'a.las': 1000 }));

    const troubled = await house.until(id, (job) => job.error !== null);
    expect(troubled).toMatchObject({ status: 'uploading', error: { code: 'storage-failed' } });

    const done = await house.until(id, hasStatus('complete'));
    expect(done.error).toBeNull();
  });
});

describe('storage that ends the upload', () => {
  it('expires the job with its credentials and records how far it came', async () => {
    house.service.control.addFault({
      match: { room: 'storage', method: 'PUT', path: 'partNumber=', after: 2, times: 100 },
      action: { kind: 'stall' },
    });
    const id = house.add(await house.source({ 'a.las': 40 * mebibyte }));
    await house.until(id, (job) => job.partsDone === 2);
    await house.jobs.act(id, 'pause');
    house.service.control.expireUploadCredentials();
    house.service.control.clearFaults();
    await house.jobs.act(id, 'resume');

    const job = await house.until(id, hasStatus('expired'));

    expect(job).toMatchObject({ error: { code: 'credentials-expired' }, bytesDone: 16 * mebibyte });
    expect(job.actions).toEqual(['start-again', 'remove']);
  });

  it('fails the job with storage’s message on denial', async () => {
    house.service.control.addFault({
      match: { room: 'storage', method: 'PUT' },
      action: { kind: 'status', status: 403, body: s3Error('AccessDenied') },
    });

    const job = await house.until(house.add(await house.source({ 'a.las': 1000 })), hasStatus('failed'));

    expect(job.error).toMatchObject({
      code: 'storage-denied',
      retryable: true,
      remote: { status: 403, code: 'AccessDenied' },
    });
  });

  it('treats a denial after the credentials’ lifetime as their end', async () => {
    await house.close();
    house = await openHouse({}, { credentialLifeMs: 0 });
    house.service.control.addFault({
      match: { room: 'storage', method: 'PUT' },
      action: { kind: 'status', status: 403, body: s3Error('AccessDenied') },
    });

    await house.until(house.add(await house.source({ 'a.las': 1000 })), hasStatus('expired'));
  });
});

describe('source that changes during an upload', () => {
  /** Holds back all but the first part or the first file, so that the source can be changed meanwhile. */
  async function changeWhileUploading(
    files: Record<string, number>,
    change: (source: string) => Promise<void>,
  ) {
    house.service.control.addFault({
      match: { room: 'storage', method: 'PUT', path: 'partNumber=[2-9]|b\\.las', times: 100 },
      action: { kind: 'stall' },
    });
    const source = await house.source(files);
    const id = house.add(source);
    await house.until(id, (job) => job.partsDone === 1);
    await house.jobs.act(id, 'pause');
    await change(source);
    house.service.control.clearFaults();
    await house.jobs.act(id, 'resume');
    return house.until(id, hasStatus('failed'));
  }

  it('fails the job with the name of the file that grew', async () => {
    const job = await changeWhileUploading({ 'a.las': 40 * mebibyte }, (source) =>
      appendFile(join(source, 'a.las'), 'more'),
    );

    expect(job.error).toMatchObject({ code: 'source-changed', subject: expect.stringContaining('a.las') });
    expect(job.actions).toEqual(['start-again', 'remove']);
  });

  it('fails the job when a file is rewritten at the same size', async () => {
    const job = await changeWhileUploading({ 'a.las': 40 * mebibyte }, (source) =>
      writeFile(join(source, 'a.las'), Buffer.alloc(40 * mebibyte)),
    );

    expect(job.error?.code).toBe('source-changed');
  });

  it('fails the job when a file is deleted', async () => {
    // Either of them may be the one that got through.
    const job = await changeWhileUploading({ 'a.las': 500, 'b.las': 400 }, async (source) => {
      await rm(join(source, 'a.las'));
      await rm(join(source, 'b.las'));
    });

    expect(job.error).toMatchObject({ code: 'source-changed', subject: expect.stringContaining('.las') });
  });
});
