import { appendFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fingerprintOf } from '../../../../main/files/fingerprint.ts';
import { scanSource } from '../../../../main/files/walk/scan.ts';
import { errorMessage } from '../../../../renderer/say.ts';
import { body, type House, hasStatus, isCreation, openHouse } from '../house.ts';

let house: House;

beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());

async function addExactly(source: string, gitignore: readonly string[] = []): Promise<string> {
  const { files } = await scanSource([source], { keysFrom: source, gitignore });
  const fingerprint = fingerprintOf(files);
  return house.jobs.add({
    accountId: 'me',
    paths: [source],
    body,
    acceptForecast: false,
    exactly: { keysFrom: source, gitignore, fingerprint },
  });
}

/** Blocks the queue with its first job, so that added jobs wait. */
async function holdLine(): Promise<string> {
  house.service.control.addFault({
    match: { room: 'storage', method: 'PUT', path: 'holds-the-line', times: 100 },
    action: { kind: 'stall' },
  });
  const id = house.add(await house.source({ 'holds-the-line.las': 100 }));
  await house.until(id, (job) => job.bytesOnWire > 0 || job.partsOnWire > 0);
  return id;
}

/** Begins an upload of which all files except `a.gml` arrive. */
async function stallUpload(source: string): Promise<string> {
  house.service.control.addFault({
    match: { room: 'storage', method: 'PUT', path: 'a\\.gml', times: 100 },
    action: { kind: 'stall' },
  });
  const id = await addExactly(source);
  await house.until(id, (job) => job.partsDone === (job.partsTotal ?? 0) - 1 && job.partsOnWire > 0);
  return id;
}

/** The parts that were stalled are sent again. */
async function letGo(id: string): Promise<void> {
  house.service.control.clearFaults();
  await house.jobs.act(id, 'pause');
  await house.jobs.act(id, 'resume');
}

const completions = () => house.service.control.requests().filter(({ path }) => /uploadComplete/.test(path));

it('marks a job as a watched folder’s only if its source is exact', async () => {
  const source = await house.source({ 'a.gml': 500 });
  expect(house.jobs.get(await addExactly(source))?.byRule).toBe(true);
  expect(house.jobs.get(house.add(source))?.byRule).toBe(false);
});

it('a job with an exact source uploads an unchanged source', async () => {
  const source = await house.source({ 'a.gml': 500, 'deep/b.gml': 700, 'notes.txt': 10 });
  const job = await house.until(await addExactly(source, ['*.txt']), hasStatus('complete'));

  expect(job.fileCount).toBe(2);
  expect([...house.jobs.sentFiles(job.id)].map(({ key }) => key).sort()).toEqual(['a.gml', 'deep/b.gml']);
});

it.each([
  ['grew', (source: string) => appendFile(join(source, 'a.gml'), 'more')],
  ['was touched', (source: string) => utimes(join(source, 'a.gml'), 1, 1)],
  ['got another file', (source: string) => writeFile(join(source, 'b.gml'), 'more')],
  ['lost one', (source: string) => rm(join(source, 'c.gml'))],
])(
  'job with an exact source: ends before an asset is created if its source %s while it waited',
  async (_, change) => {
    const source = await house.source({ 'a.gml': 500, 'c.gml': 500 });
    const previousJob = await holdLine();
    const id = await addExactly(source);
    await change(source);
    const creationCount = house.service.control.requests().filter(isCreation).length;
    await house.jobs.act(previousJob, 'cancel');

    const job = await house.until(id, hasStatus('failed'));

    expect(job).toMatchObject({ error: { code: 'source-changed' }, assetId: null });
    expect(job.error && errorMessage(job.error)).toBe(`${source} changed during the upload.`);
    expect(house.service.control.requests().filter(isCreation)).toHaveLength(creationCount);
  },
);

it.each([
  ['gets another file', (source: string) => writeFile(join(source, 'late.gml'), 'late')],
  ['loses a file that was sent', (source: string) => rm(join(source, 'empty.gml'))],
])('job with an exact source: completes nothing if its source %s during the upload', async (_, change) => {
  const source = await house.source({ 'a.gml': 500, 'empty.gml': '' });
  const id = await stallUpload(source);
  await change(source);
  await letGo(id);

  const job = await house.until(id, hasStatus('failed'));

  expect(job.error?.code).toBe('source-changed');
  expect(completions()).toEqual([]);
  expect(house.service.control.assets()).toMatchObject([{ status: 'AWAITING_FILES' }]);
});

it('job with an exact source: completes if its source is only opened during the upload', async () => {
  const source = await house.source({ 'a.gml': 500 });
  const id = await stallUpload(source);
  for (const name of ['a.gfs', 'a.tif.aux.xml']) await writeFile(join(source, name), 'derived');
  await letGo(id);
  await house.until(id, hasStatus('complete'));
  expect(completions()).toHaveLength(1);
});

it('job with an exact source: completes nothing if its source changed while Tilelift wasn’t running', async () => {
  const source = await house.source({ 'a.gml': 500 });
  const id = await stallUpload(source);
  await writeFile(join(source, 'late.gml'), 'late');
  house.service.control.clearFaults();
  await house.restart();

  const job = await house.until(id, hasStatus('failed'));

  expect(job.error?.code).toBe('source-changed');
  expect(completions()).toEqual([]);
});

it('job with an exact source: uploads the current content when the user starts it again', async () => {
  const source = await house.source({ 'a.gml': 500, 'notes.txt': 10 });
  const previousJob = await holdLine();
  const id = await addExactly(source, ['*.txt']);
  await writeFile(join(source, 'b.gml'), 'more');
  await house.jobs.act(previousJob, 'cancel');
  await house.until(id, hasStatus('failed'));

  await house.jobs.act(id, 'start-again');

  const [newest] = house.jobs.list();
  const job = await house.until(newest?.id ?? '', hasStatus('complete'));
  expect(job.fileCount).toBe(2);
});

it('job that is added in another transaction: passes the job’s ID to the transaction that stores it', async () => {
  const paths = [await house.source({ 'a.gml': 500 })];
  const notifiedIds: string[] = [];
  const id = house.jobs.add({ accountId: 'me', paths, body, acceptForecast: false }, (jobId) =>
    notifiedIds.push(jobId),
  );
  expect(notifiedIds).toEqual([id]);
  await house.until(id, hasStatus('complete'));
});

it('job that is added in another transaction: creates no job if its transaction fails', async () => {
  const paths = [await house.source({ 'a.gml': 500 })];
  const fail = () => {
    throw new Error('no');
  };
  expect(() => house.jobs.add({ accountId: 'me', paths, body, acceptForecast: false }, fail)).toThrow(
    expect.objectContaining({ code: 'journal-unusable' }),
  );
  expect(house.jobs.list()).toEqual([]);
  await house.restart();
  expect(house.jobs.list()).toEqual([]);
});
