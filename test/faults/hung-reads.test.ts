import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, existsSync, openSync, rmSync } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobServiceOptions } from '../../main/jobs/service/job-options.ts';
import { createStorageClient } from '../../main/workers/storage-client.ts';
import { type House, hasStatus } from '../integration/jobs/house.ts';
import {
  expectNothing,
  expectWhole,
  fiveParts,
  halfUploaded,
  openFaultHouse,
  partPuts,
} from './fault-house.ts';
import { troubledWorker } from './troubled-worker.ts';

const noPipes = process.platform === 'win32';
const makePipe = (path: string) => execFileSync('mkfifo', [path]);

let house: House;
let deadDrive: { folder: string; fifo: string };
afterEach(async () => {
  if (deadDrive) revive();
  await house.close();
});

/** Opens the pipe's other end, as if the drive responded again. */
function revive(): void {
  try {
    const end = openSync(deadDrive.fifo, constants.O_RDWR | constants.O_NONBLOCK);
    rmSync(deadDrive.fifo);
    closeSync(end);
  } catch {
    // The pipe was never created.
  }
}

/** A house in which `dead/` may be on an unresponsive drive. */
async function openDeadHouse(readStallMs?: number): Promise<void> {
  deadDrive = { folder: 'none', fifo: 'none' };
  const storageFor: JobServiceOptions['storageFor'] = (location) =>
    createStorageClient(location, {
      worker: troubledWorker({ deadDrive }),
      workers: 2,
      ...(readStallMs === undefined ? {} : { readStallMs }),
    });
  house = await openFaultHouse({ jobs: { storageFor } });
  deadDrive = { folder: join(house.folder, 'dead'), fifo: join(house.folder, 'fifo') };
}

async function onDeadDrive(size: number): Promise<string> {
  await mkdir(deadDrive.folder, { recursive: true });
  await writeFile(join(deadDrive.folder, 'a.las'), randomBytes(size));
  return deadDrive.folder;
}

const sizes = [
  ['a large file', fiveParts],
  ['a small file', 1000],
] as const;

describe.skipIf(noPipes)('source drive that stops responding', () => {
  it.each(sizes)(
    'S105: source drive that stops responding: delays neither cancelling nor the next job: %s',
    async (_, size) => {
      await openDeadHouse();
      makePipe(deadDrive.fifo);
      const id = house.add(await onDeadDrive(size));
      const otherSource = await house.source({ 'b.las': 500 });
      await expect.poll(() => existsSync(`${deadDrive.fifo}.asked`)).toBe(true);

      const startedAt = performance.now();
      await house.jobs.act(id, 'cancel');
      const nextJob = await house.until(house.add(otherSource), hasStatus('complete'));

      expect(performance.now() - startedAt).toBeLessThan(10_000);
      await expectWhole(house, nextJob, otherSource, { assets: 2 });
      await house.jobs.stop();
    },
  );

  it.each(sizes)(
    'source drive that stops responding: reports a hung read after a while and lets the user retry: %s',
    async (_, size) => {
      await openDeadHouse(400);
      makePipe(deadDrive.fifo);
      const source = await onDeadDrive(size);
      const id = house.add(source);

      const failedJob = await house.until(id, hasStatus('failed'));
      expect(failedJob).toMatchObject({
        error: { code: 'source-stalled', subject: join(source, 'a.las'), retryable: true },
      });
      revive();
      await house.jobs.act(id, 'try-again');

      await expectWhole(house, await house.until(id, hasStatus('complete')), source);
    },
  );
});

describe.skipIf(noPipes)('pipe that replaces a file', () => {
  beforeEach(async () => {
    house = await openFaultHouse();
  });

  it('pipe that replaces a file: fails the job as a changed source at once', async () => {
    const { id, source } = await halfUploaded(house);
    const path = join(source, 'a.las');
    await rm(path);
    makePipe(path);

    house.service.control.clearFaults();
    const job = await house.until(id, hasStatus('failed'));

    expect(job.error).toMatchObject({ code: 'source-changed', subject: path });
    expect(partPuts(house)).toHaveLength(4);
    expect((await stat(path)).isFIFO()).toBe(true);
    await expectNothing(house, job);
  });
});
