import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TileliftError } from '../../../main/errors.ts';
import { openJournal } from '../../../main/jobs/journal/journal.ts';
import { type House, hasStatus, historyTexts, openHouse } from './house.ts';

let house: House;

beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());

const creations = () =>
  house.service.control
    .requests()
    .filter(
      ({ method, path }) =>
        method === 'POST' && path.startsWith('/v1/assets') && !path.includes('uploadComplete'),
    );

describe('creating an asset during service trouble', () => {
  it('creating an asset during service trouble: waits and reports while the service is silent, and creates one asset', async () => {
    house.service.control.addFault({
      match: { room: 'api', times: 1000 },
      action: { kind: 'cut-request', afterBytes: 0 },
    });
    const id = house.add(await house.source({ 'a.gml': 500 }));

    const lists = () => house.service.control.requests().filter(({ method }) => method === 'GET').length;
    const waitingJob = await house.until(id, (job) => job.error !== null && lists() > 20);
    expect(waitingJob).toMatchObject({
      status: 'creating',
      error: { code: 'service-unreachable', retryable: true },
      waitingFor: 'network',
    });
    // Search for the first request's asset before sending another.
    expect(creations()).toHaveLength(1);

    house.service.control.clearFaults();
    await house.until(id, hasStatus('complete'));
    expect(house.service.control.assets()).toHaveLength(1);
  });

  it('creating an asset during service trouble: doesn’t claim other users’ assets as its orphan', async () => {
    house.service.control.seedAsset({ name: 'Altstadt', type: 'IMAGERY', status: 'AWAITING_FILES' });
    house.service.control.seedAsset({ name: 'Altstadt', type: '3DTILES', status: 'COMPLETE' });
    house.service.control.seedAsset({ name: 'Other', type: '3DTILES', status: 'AWAITING_FILES' });
    house.service.control.addFault({
      match: { room: 'api', method: 'POST', path: '^/v1/assets$' },
      action: { kind: 'status', status: 503 },
    });

    const id = house.add(await house.source({ 'a.gml': 500 }));
    await house.until(id, hasStatus('complete'));

    expect(historyTexts(house, id).filter((text) => text.includes('left behind'))).toEqual([]);
  });

  it('creating an asset during service trouble: gives up after two answers that it can’t parse, so that the account isn’t filled', async () => {
    house.service.control.addFault({
      match: { room: 'api', method: 'POST', path: '^/v1/assets$', times: 10 },
      action: { kind: 'status', status: 200, body: '{"assetMetadata":{"id":"seven"}}' },
    });

    const job = await house.until(house.add(await house.source({ 'a.gml': 500 })), hasStatus('failed'));

    expect(job.error?.code).toBe('creation-unanswered');
    expect(creations()).toHaveLength(2);
  });

  it('C39: ends at once when the service refuses the request', async () => {
    house.service.control.addFault({
      match: { room: 'api', method: 'POST', path: '^/v1/assets$' },
      action: { kind: 'status', status: 400, body: '{"code":"NoSpace","message":"The account is full."}' },
    });

    const job = await house.until(house.add(await house.source({ 'a.gml': 500 })), hasStatus('failed'));

    expect(job.error).toMatchObject({ code: 'request-refused', remote: { message: 'The account is full.' } });
    expect(job.actions).toEqual(['start-again', 'remove']);
    expect(creations()).toHaveLength(1);
  });
});

describe('tiling during service trouble', () => {
  it('C38: shows the trouble, stays tiling and continues', async () => {
    house.service.control.addFault({
      match: { room: 'api', method: 'GET', path: '^/v1/assets/\\d+$', times: 3 },
      action: { kind: 'status', status: 503 },
    });
    const id = house.add(await house.source({ 'a.gml': 500 }));

    const troubledJob = await house.until(id, (job) => job.status === 'tiling' && job.error !== null);
    expect(troubledJob.error?.code).toBe('service-unavailable');

    const completeJob = await house.until(id, hasStatus('complete'));
    expect(completeJob.error).toBeNull();
  });
});

it('journal that becomes unwritable: shows an unwritable journal at the job, which stops', async () => {
  await house.close();
  const journal = openJournal(':memory:');
  house = await openHouse(
    {},
    {
      journal: {
        ...journal,
        append: () => {
          throw new TileliftError('journal-unusable', { subject: '/journal.db' });
        },
      },
    },
  );
  const id = house.add(await house.source({ 'a.gml': 500 }));

  const halted = await house.until(id, (job) => job.error?.code === 'journal-unusable');

  expect(halted).toMatchObject({ status: 'queued', endedAt: null });
  expect(creations()).toEqual([]);
});
