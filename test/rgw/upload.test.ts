import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { GetObjectCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { type House, hasStatus, openHouse, scopes } from '../integration/jobs/house.ts';
import type { ExternalStorage } from '../service/model.ts';
import { type Line, openLine } from './line.ts';
import { objectStore } from './settings.ts';

const mebibyte = 1024 * 1024;
const partSize = 8 * mebibyte;
const size = 96 * mebibyte;
/** Bytes of requests without files, and headers of those with files. */
const overhead = mebibyte;

let store: ExternalStorage;
let line: Line;
let house: House;
let path: string;
let sha256: string;

async function open(settings: { mayListParts?: boolean; lifeSeconds?: number } = {}): Promise<void> {
  const { mayListParts = true, lifeSeconds = 3600 } = settings;
  house = await openHouse(
    { externalStorage: { ...store, endpoint: line.url, mayListParts }, uploadCredentialSeconds: lifeSeconds },
    { parallelParts: 4, credentialLifeMs: lifeSeconds * 1000 },
  );
  const bytes = randomBytes(size);
  sha256 = createHash('sha256').update(bytes).digest('hex');
  path = join(await house.source({ 'scan.las': bytes }), 'scan.las');
}

beforeEach(async () => {
  store = objectStore('upload');
  line = await openLine(store.endpoint);
});
afterEach(async () => {
  await house.close();
  await line.close();
});

/** Reads the object with the owner's key, bypassing the line. */
async function expectOnStorage(assetId: unknown): Promise<void> {
  const owner = new S3Client({
    endpoint: store.endpoint,
    region: store.region,
    forcePathStyle: true,
    credentials: { accessKeyId: store.accessKey, secretAccessKey: store.secretKey },
  });
  const Key = `sources/${assetId}/scan.las`;
  const answer = await owner.send(new GetObjectCommand({ Bucket: store.bucket, Key }));
  const hash = createHash('sha256');
  for await (const bytes of answer.Body as AsyncIterable<Uint8Array>) hash.update(bytes);
  expect(hash.digest('hex')).toBe(sha256);
  const uploads = await owner.send(
    new ListMultipartUploadsCommand({ Bucket: store.bucket, Prefix: `sources/${assetId}/` }),
  );
  expect(uploads.Uploads ?? []).toEqual([]);
  owner.destroy();
}

/** Starts the upload and stops the line once some parts are confirmed. */
async function haltHalfWay(): Promise<{ readonly id: string; readonly confirmed: number }> {
  const id = house.add(path);
  await house.until(id, (job) => job.partsDone >= 3);
  line.hold();
  await house.jobs.stop();
  return { id, confirmed: house.jobs.get(id)?.partsDone ?? 0 };
}

it('upload to a real object store with temporary credentials: sends only the parts in flight again after a kill', async () => {
  await open();
  const uploader = startUploader();
  const { partsDone: confirmedParts = 0 } = await uploader.until((output) => (output.partsDone ?? 0) >= 3);
  uploader.child.kill('SIGKILL');
  await once(uploader.child, 'exit');
  const previouslySent = line.countSent();

  const end = await startUploader().until((output) => output.status !== undefined);

  expect(end).toMatchObject({ status: 'complete', error: null });
  expect(house.service.control.assets()).toHaveLength(1);
  expect(line.countSent() - previouslySent).toBeLessThanOrEqual(size - confirmedParts * partSize + overhead);
  await expectOnStorage(house.service.control.assets()[0]?.id);
});

it('upload to a real object store with temporary credentials: sends only missing parts after a stop, as listed by storage', async () => {
  await open();
  const { id, confirmed: confirmedParts } = await haltHalfWay();
  line.release();
  const previouslySent = line.countSent();

  await house.restart();
  const job = await house.until(id, hasStatus('complete'));

  expect(line.countSent() - previouslySent).toBeLessThanOrEqual(size - confirmedParts * partSize + overhead);
  await expectOnStorage(job.assetId);
});

it('upload to a real object store with temporary credentials: continues from the journal if listing is denied', async () => {
  await open({ mayListParts: false });
  const { id, confirmed: confirmedParts } = await haltHalfWay();
  line.release();
  const previouslySent = line.countSent();

  await house.restart();
  const job = await house.until(id, hasStatus('complete'));

  expect(confirmedParts).toBeGreaterThanOrEqual(3);
  expect(line.countSent() - previouslySent).toBeLessThanOrEqual(size - confirmedParts * partSize + overhead);
  await expectOnStorage(job.assetId);
});

it('upload to a real object store with temporary credentials: repeats a part whose bytes were corrupted and refused by their MD5', async () => {
  await open();
  line.garbleAfter(20 * mebibyte);

  const job = await house.until(house.add(path), hasStatus('complete'));

  expect(line.countSent()).toBeGreaterThan(size + partSize - overhead);
  expect(line.countSent()).toBeLessThan(size + partSize + overhead);
  await expectOnStorage(job.assetId);
});

it('upload to a real object store with temporary credentials: expires with its credentials and keeps account of what arrived', async () => {
  const lifeSeconds = 3;
  await open({ lifeSeconds });
  const id = house.add(path);
  await house.until(id, (job) => job.partsDone >= 3);
  line.hold();
  const endAt = house.jobs.get(id)?.credentialsEndAt ?? 0;
  await expect.poll(() => Date.now(), { timeout: 10_000 }).toBeGreaterThan(endAt + 500);
  line.release();

  const job = await house.until(id, hasStatus('expired'));

  expect(job.error).toMatchObject({ code: 'credentials-expired' });
  expect(job.bytesDone).toBe(job.partsDone * partSize);
  expect(job.partsDone).toBeGreaterThanOrEqual(3);
  expect(job.actions).toEqual(['start-again', 'remove']);
});

const saidShape = z.object({
  partsDone: z.number().optional(),
  status: z.string().optional(),
  error: z.unknown().optional(),
});
type UploaderLine = z.infer<typeof saidShape>;

/** Runs Tilelift in a process that resumes its journal or starts. */
function startUploader(): {
  child: ChildProcess;
  until: (isMatch: (line: UploaderLine) => boolean) => Promise<UploaderLine>;
} {
  const { baseUrl, authUrl, control } = house.service;
  const token = control.makeAccessToken(scopes);
  const folder = join(house.folder, 'uploader');
  mkdirSync(folder, { recursive: true });
  const settings = JSON.stringify({ baseUrl, authUrl, token, folder, source: path });
  const script = join(import.meta.dirname, '..', 'integration', 'jobs', 'uploader-process.ts');
  const child = spawn(process.execPath, [script, settings], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  return {
    child,
    until: async (isMatch) => {
      for await (const text of lines) {
        const output = saidShape.parse(JSON.parse(text));
        if (isMatch(output)) return output;
      }
      throw new Error('the uploader ended before that');
    },
  };
}
