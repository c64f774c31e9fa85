import { copyFile, open, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JobSnapshot } from '../../main/jobs/model.ts';
import { createStorageClient } from '../../main/workers/storage-client.ts';
import { type House, hasStatus } from '../integration/jobs/house.ts';
import {
  expectNothing,
  expectWhole,
  halfUploaded,
  mebibyte,
  openFaultHouse,
  partPuts,
} from './fault-house.ts';
import { troubledWorker } from './troubled-worker.ts';

let house: House;

beforeEach(async () => {
  house = await openFaultHouse();
});
afterEach(() => house.close());

/** Changes a file in its first part, so that no part that is sent again shows it. */
async function edit(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.write('other bytes', mebibyte);
  await file.close();
}

/** Changes the source after two of its five parts are confirmed, with two more in flight. */
async function changeMidUpload(change: (path: string) => Promise<void>) {
  const { id, source } = await halfUploaded(house);
  await change(join(source, 'a.las'));
  house.service.control.clearFaults();
  const job = await house.until(id, hasStatus('failed'));
  return { job, id, source };
}

async function expectChangeNamed(job: JobSnapshot): Promise<void> {
  expect(job.error).toMatchObject({
    code: 'source-changed',
    subject: expect.stringContaining('a.las'),
    retryable: false,
  });
  expect(job.actions).toEqual(['start-again', 'remove']);
  await expectNothing(house, job);
}

async function expectAfterStartingAgain(id: string, source: string): Promise<void> {
  await house.jobs.act(id, 'start-again');
  const [newest] = house.jobs.list();
  const job = await house.until(newest?.id ?? '', hasStatus('complete'));
  await expectWhole(house, job, source, { assets: 2 });
}

it('source that changes during the upload: fails the job when a file is edited', async () => {
  const { job, id, source } = await changeMidUpload(edit);

  await expectChangeNamed(job);
  await expectAfterStartingAgain(id, source);
});

it('source that changes during the upload: fails the job when a file is truncated', async () => {
  const { job, id, source } = await changeMidUpload((path) => truncate(path, 20 * mebibyte));

  await expectChangeNamed(job);
  await expectAfterStartingAgain(id, source);
});

it('source that changes during the upload: fails the job when a file is deleted', async () => {
  const { job } = await changeMidUpload((path) => rm(path));

  await expectChangeNamed(job);
});

it('source that changes during the upload: fails the job when a file is replaced', async () => {
  const { job, id, source } = await changeMidUpload(async (path) => {
    const otherPath = `${path}.other`;
    await copyFile(path, otherPath);
    await edit(otherPath);
    await rename(otherPath, path);
  });

  await expectChangeNamed(job);
  await expectAfterStartingAgain(id, source);
});

it('failing disk: fails the job with source-unreadable after a read error', async () => {
  await house.close();
  let flag = '';
  house = await openFaultHouse({
    jobs: {
      storageFor: (location) =>
        createStorageClient(location, { worker: troubledWorker({ diskFails: flag }) }),
    },
  });
  flag = join(house.folder, 'disk-fails');
  const { id } = await halfUploaded(house);

  await writeFile(flag, '');
  house.service.control.clearFaults();
  const job = await house.until(id, hasStatus('failed'));

  expect(job.error).toMatchObject({ code: 'source-unreadable', subject: expect.stringContaining('a.las') });
  expect(partPuts(house).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await expectNothing(house, job);
});
