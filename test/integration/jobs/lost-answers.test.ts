import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TileliftError } from '../../../main/errors.ts';
import type { JobEvent } from '../../../main/jobs/events.ts';
import type { Journal } from '../../../main/jobs/journal/journal-model.ts';
import type { RecordedRequest } from '../../service/model.ts';
import { type House, hasStatus, historyTexts, openHouse } from './house.ts';

let house: House;

beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());

const mebibyte = 1024 * 1024;
const s3Error = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;
const requests = (fits: (request: RecordedRequest) => boolean) =>
  house.service.control.requests().filter(fits);
const partPuts = () => requests(({ method, path }) => method === 'PUT' && path.includes('partNumber='));
const isCompletion = ({ room, method, path }: RecordedRequest) =>
  room === 'storage' && method === 'POST' && path.includes('uploadId=');

/** The work is done, but nobody hears of it. */
function loseAnswerToCompleting() {
  house.service.control.addFault({
    match: { room: 'storage', method: 'POST', path: 'uploadId=' },
    action: { kind: 'cut-answer', afterBytes: 0 },
  });
}

function answer(method: string, status: number, body = '') {
  house.service.control.addFault({
    match: { room: 'storage', method, times: 100 },
    action: { kind: 'status', status, body },
  });
}

/**
 * A journal that can't write the event of this kind, as after a kill in that moment; all else goes through.
 */
function dyingBefore(kind: JobEvent['kind']) {
  return (journal: Journal): Journal => ({
    ...journal,
    append: (jobId, event) => {
      if (event.kind === kind) throw new TileliftError('journal-unusable', { subject: 'killed' });
      journal.append(jobId, event);
    },
  });
}

describe('lost answer to creating', () => {
  it.each([-20, 20])(
    'leads to a named orphan when the service’s clock is %i minutes off',
    async (minutes) => {
      house.service.control.skewClock(minutes * 60_000);
      house.service.control.addFault({
        match: { room: 'api', method: 'POST', path: '^/v1/assets$' },
        action: { kind: 'cut-answer', afterBytes: 0 },
      });
      const id = house.add(await house.source({ 'a.gml': 500 }));

      await house.until(id, hasStatus('complete'));

      const [orphan] = house.service.control.assets().filter(({ status }) => status === 'AWAITING_FILES');
      expect(historyTexts(house, id).join()).toContain(String(orphan?.id));
    },
  );

  it('keeps the asset after a kill between vault and journal', async () => {
    await house.restartOn(dyingBefore('asset-created'));
    const id = house.add(await house.source({ 'a.gml': 500 }));
    await house.until(id, (job) => job.error?.code === 'journal-unusable');

    await house.restart();

    await house.until(id, hasStatus('complete'));
    expect(house.service.control.assets()).toHaveLength(1);
  });
});

describe('lost answer to completing a file', () => {
  it('counts as completed if reading is denied, since every part was confirmed', async () => {
    loseAnswerToCompleting();
    answer('HEAD', 403);
    await house.until(house.add(await house.source({ 'a.las': 9 * mebibyte })), hasStatus('complete'));
    expect(partPuts()).toHaveLength(2);
    expect(requests(isCompletion)).toHaveLength(2);
  });

  it('leads to another upload of the file if another object is there', async () => {
    house.service.control.addFault({
      match: { room: 'storage', method: 'POST', path: 'uploadId=' },
      action: { kind: 'status', status: 404, body: s3Error('NoSuchUpload') },
    });
    house.service.control.addFault({
      match: { room: 'storage', method: 'HEAD' },
      action: { kind: 'status', status: 200, headers: { 'content-length': '7', etag: '"0-2"' } },
    });
    const id = house.add(await house.source({ 'a.las': 9 * mebibyte }));

    const job = await house.until(id, hasStatus('complete'));

    expect(partPuts()).toHaveLength(4);
    expect(historyTexts(house, id)).toContainEqual(expect.stringContaining('resent from the start'));
    expect(await house.service.control.objects(`sources/${job.assetId}/`)).toMatchObject([
      { size: 9 * mebibyte },
    ]);
  });

  it.each([
    ['may be read', () => {}],
    [
      'may not be read',
      () => {
        answer('HEAD', 403);
      },
    ],
  ])('costs nothing with a kill right after it if storage %s', async (_what, deny) => {
    // The journal holds both parts, but not that the file is done.
    await house.restartOn((journal) => ({
      ...journal,
      confirm: (batch) => {
        if (batch.some(({ part }) => part === null))
          throw new TileliftError('journal-unusable', { subject: 'killed' });
        journal.confirm(batch);
      },
    }));
    const id = house.add(await house.source({ 'a.las': 9 * mebibyte }));
    await house.until(id, (job) => job.error?.code === 'journal-unusable');
    const job = house.jobs.get(id);
    expect(await house.service.control.objects(`sources/${job?.assetId}/`)).toHaveLength(1);
    deny();

    await house.restart();

    await house.until(id, hasStatus('complete'));
    expect(partPuts()).toHaveLength(2);
  });

  it('repeats a completion whose answer of 200 contains an error', async () => {
    house.service.control.addFault({
      match: { room: 'storage', method: 'POST', path: 'uploadId=' },
      action: { kind: 'status', status: 200, body: s3Error('InternalError') },
    });
    await house.until(house.add(await house.source({ 'a.las': 9 * mebibyte })), hasStatus('complete'));
    expect(requests(isCompletion).map(({ status }) => status)).toEqual([200, 200]);
    expect(partPuts()).toHaveLength(2);
  });
});

describe('lost answer to “upload complete”', () => {
  it('isn’t a failure if the repetition is refused and the asset can’t be read for a while', async () => {
    house.service.control.addFault({
      match: { room: 'api', method: 'POST', path: 'uploadComplete' },
      action: { kind: 'cut-answer', afterBytes: 0 },
    });
    house.service.control.addFault({
      match: { room: 'api', method: 'GET', path: '^/v1/assets/', times: 2 },
      action: { kind: 'status', status: 503 },
    });
    const id = house.add(await house.source({ 'a.gml': 500 }));

    const job = await house.until(id, ({ endedAt }) => endedAt !== null);

    expect(job).toMatchObject({ status: 'complete', error: null });
    expect(requests(({ path }) => path.includes('uploadComplete')).map(({ status }) => status)).toContain(
      409,
    );
  });

  it('is recovered from the asset after a kill', async () => {
    await house.restartOn(dyingBefore('completion-accepted'));
    const id = house.add(await house.source({ 'a.gml': 500 }));
    await house.until(id, (job) => job.error?.code === 'journal-unusable');

    await house.restart();

    await house.until(id, hasStatus('complete'));
    expect(house.service.control.assets()).toHaveLength(1);
  });
});
