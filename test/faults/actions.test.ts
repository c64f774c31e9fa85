import { afterEach, describe, expect, it } from 'vitest';
import type { JobSnapshot } from '../../main/jobs/model.ts';
import { type House, hasStatus, historyTexts } from '../integration/jobs/house.ts';
import type { FaultAction, FaultMatch } from '../service/model.ts';
import { expectWhole, openFaultHouse, partPuts, partSize, s3Error, storageRequests } from './fault-house.ts';

let house: House;
afterEach(() => house.close());

interface JobFacts {
  readonly id: string;
  readonly source: string;
  readonly release: () => void;
}

/** A job that is held in a state until it is released. */
async function startJobIn(
  status: 'queued' | 'creating' | 'uploading' | 'paused' | 'completing' | 'tiling' | 'complete' | 'failed',
): Promise<JobFacts> {
  house = await openFaultHouse({ service: { tilingMs: status === 'tiling' ? 500 : 30 } });
  const { control } = house.service;
  const holdRequests = (match: FaultMatch, action: FaultAction = { kind: 'hold' }) =>
    control.addFault({ match: { times: 1000, ...match }, action });
  const release = () => control.clearFaults();
  const source = await house.source({ 'a.las': 3 * partSize, 'b.prj': 500 });
  const untilJob = async (id: string, isMatch: (job: JobSnapshot) => boolean) => {
    await house.until(id, isMatch);
    return { id, source, release };
  };
  const lastPart = 'partNumber=3&';
  switch (status) {
    case 'queued': {
      holdRequests({ room: 'storage', method: 'PUT' });
      const firstId = house.add(await house.source({ 'first.las': 10 }));
      await house.until(firstId, hasStatus('uploading'));
      return untilJob(house.add(source), hasStatus('queued'));
    }
    case 'creating': {
      holdRequests({ room: 'api', method: 'POST', path: '^/v1/assets$' });
      const id = house.add(source);
      await house.untilAsked();
      return untilJob(id, hasStatus('creating'));
    }
    case 'uploading': {
      holdRequests({ room: 'storage', method: 'PUT', path: lastPart });
      const id = house.add(source);
      await untilJob(id, (job) => job.partsDone === 3);
      await expect.poll(() => partPuts(house)).toHaveLength(3);
      return { id, source, release };
    }
    case 'paused': {
      holdRequests({ room: 'storage', method: 'PUT', path: lastPart });
      const id = house.add(source);
      await house.until(id, (job) => job.partsDone === 3);
      await house.jobs.act(id, 'pause');
      return untilJob(id, hasStatus('paused'));
    }
    case 'completing':
      holdRequests({ room: 'api', path: 'uploadComplete' });
      return untilJob(house.add(source), hasStatus('completing'));
    case 'tiling':
      return untilJob(house.add(source), hasStatus('tiling'));
    case 'complete':
      return untilJob(house.add(source), hasStatus('complete'));
    case 'failed':
      holdRequests(
        { room: 'storage', method: 'PUT' },
        { kind: 'status', status: 403, body: s3Error('AccessDenied') },
      );
      return untilJob(house.add(source), hasStatus('failed'));
  }
}

it.each(['queued', 'creating', 'uploading', 'completing', 'tiling', 'paused'] as const)(
  'cancel in every state: ends the job and aborts its uploads when cancelled while %s',
  async (status) => {
    const { id, release } = await startJobIn(status);
    const sentBefore = partPuts(house).length;

    await house.jobs.act(id, 'cancel');
    release();

    expect(house.jobs.get(id)).toMatchObject({ status: 'cancelled', actions: ['start-again', 'remove'] });
    // The creation's response is awaited to learn the asset's id.
    if (status === 'creating') await expect.poll(() => historyTexts(house, id).at(-1)).toMatch(/left behind/);
    await expect.poll(() => house.vault.entries.size).toBe(0);
    await expect.poll(() => house.service.control.openUploads()).toEqual([]);
    await house.restart();
    expect(house.jobs.get(id)).toMatchObject({ status: 'cancelled', bytesOnWire: 0 });
    expect(partPuts(house)).toHaveLength(sentBefore);
    // While the job is queued, the only asset belongs to the previous job.
    expect(house.service.control.assets()).toHaveLength(1);
  },
);

describe('pause in every state', () => {
  it.each(['queued', 'creating', 'uploading'] as const)(
    'pause in every state: keeps confirmed parts when paused while %s, also after a restart, and resumes there',
    async (status) => {
      const { id, source, release } = await startJobIn(status);

      await house.jobs.act(id, 'pause');
      release();
      const otherJobs = house.jobs.list().filter((job) => job.id !== id);
      for (const otherJob of otherJobs) await house.until(otherJob.id, hasStatus('complete'));
      await house.restart();
      expect(house.jobs.get(id)).toMatchObject({ status: 'paused', bytesOnWire: 0 });
      const sentBefore = partPuts(house).length;

      await house.jobs.act(id, 'resume');
      const job = await house.until(id, hasStatus('complete'));

      expect(partPuts(house).length - sentBefore).toBe(status === 'uploading' ? 1 : 3);
      expect(storageRequests(house, 'POST', /[?&]uploads/)).toHaveLength(1);
      await expectWhole(house, job, source, { assets: 1 + otherJobs.length });
    },
  );

  it.each(['completing', 'tiling'] as const)(
    'pause in every state: offers no pause while %s and ignores it',
    async (status) => {
      const { id, source, release } = await startJobIn(status);

      expect(house.jobs.get(id)?.actions).toEqual(['cancel']);
      await house.jobs.act(id, 'pause');
      expect(house.jobs.get(id)?.status).toBe(status);

      release();
      await expectWhole(house, await house.until(id, hasStatus('complete')), source);
    },
  );

  it('pause does nothing to a paused job', async () => {
    const { id, source, release } = await startJobIn('paused');

    await house.jobs.act(id, 'pause');
    release();
    await house.jobs.act(id, 'resume');

    await expectWhole(house, await house.until(id, hasStatus('complete')), source);
  });
});

it.each(['complete', 'failed'] as const)(
  'cancel and pause do nothing to a job that is %s',
  async (status) => {
    const { id } = await startJobIn(status);
    // Credentials of an ended upload are deleted in the background, unless a retry could use them.
    await expect.poll(() => house.vault.entries.size).toBe(status === 'failed' ? 1 : 0);
    const previous = house.jobs.get(id);
    const requests = house.service.control.requests().length;
    for (const action of ['cancel', 'pause'] as const) {
      expect(previous?.actions).not.toContain(action);
      await house.jobs.act(id, action);
    }
    expect(house.jobs.get(id)).toEqual(previous);
    expect(house.service.control.requests()).toHaveLength(requests);
  },
);
