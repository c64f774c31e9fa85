import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import type { JobSnapshot } from '../../main/jobs/model.ts';
import type { JobServiceOptions } from '../../main/jobs/service/job-options.ts';
import { type House, hasStatus, openHouse } from '../integration/jobs/house.ts';
import type { FaultAction, RecordedRequest, ServiceSettings } from '../service/model.ts';

export const mebibyte = 1024 * 1024;
/** The plan's minimum size of parts. */
export const partSize = 8 * mebibyte;
/** Two parts and a short one. */
export const threeParts = 17 * mebibyte;
export const fiveParts = 40 * mebibyte;

interface FaultHouseOptions {
  readonly service?: Partial<ServiceSettings>;
  readonly jobs?: Partial<JobServiceOptions>;
}

/** The real job service on the embedded service, with at most two parts in flight. */
export function openFaultHouse({ service, jobs }: FaultHouseOptions = {}): Promise<House> {
  return openHouse(service, { parallelParts: 2, ...jobs });
}

/** S3's error body. */
export const s3Error = (code: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message></Message></Error>`;

/** Requests to storage, in order of arrival. */
export function storageRequests(
  house: House,
  method: string,
  path: RegExp = /./,
): readonly RecordedRequest[] {
  return house.service.control
    .requests()
    .filter((request) => request.room === 'storage' && request.method === method && path.test(request.path));
}

/** Requests that carried parts, or only one part. */
export function partPuts(house: House, number?: number): readonly RecordedRequest[] {
  return storageRequests(
    house,
    'PUT',
    number === undefined ? /partNumber=/ : new RegExp(`partNumber=${number}(&|$)`),
  );
}

/** How often each part was sent. */
export function timesSent(house: House): readonly number[] {
  const counts = new Map<number, number>();
  for (const { path } of partPuts(house)) {
    const number = Number(new URL(path, 'http://storage').searchParams.get('partNumber'));
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => a - b).map(([, count]) => count);
}

/** Adds a fault for requests that carry files or parts. */
export function faultOnPut(
  house: House,
  action: FaultAction,
  match: { path?: string; after?: number; times?: number } = {},
) {
  house.service.control.addFault({ match: { room: 'storage', method: 'PUT', ...match }, action });
}

/** Uploads the source completely. */
export async function uploadWhole(house: House, source: string): Promise<JobSnapshot> {
  return house.until(house.add(source), hasStatus('complete'));
}

/**
 * Uploads half of five parts: 1 and 2 are confirmed, storage holds 3 and 4 until the faults are cleared, 5
 * hasn't been read.
 */
export async function halfUploaded(house: House): Promise<{ readonly id: string; readonly source: string }> {
  faultOnPut(house, { kind: 'hold' }, { path: 'partNumber=[345]&', times: 1000 });
  const source = await house.source({ 'a.las': fiveParts });
  const id = house.add(source);
  await house.until(id, (job) => job.partsDone === 2);
  await expect.poll(() => partPuts(house)).toHaveLength(4);
  return { id, source };
}

/** Expects that storage has exactly the source's bytes, no upload is open, and there is one asset. */
export async function expectWhole(
  house: House,
  job: JobSnapshot,
  source: string,
  remaining: { readonly openUploads?: number; readonly assets?: number } = {},
): Promise<void> {
  const prefix = `sources/${job.assetId}/`;
  const objects = await house.service.control.objects(prefix);
  const storedSums = objects.map(({ key, sha256 }) => [key.slice(prefix.length), sha256]);
  expect(Object.fromEntries(storedSums)).toEqual(await hashesOf(source));
  expect(job).toMatchObject({ status: 'complete', error: null, bytesOnWire: 0 });
  expect(house.service.control.openUploads()).toHaveLength(remaining.openUploads ?? 0);
  expect(house.service.control.assets()).toHaveLength(remaining.assets ?? 1);
}

/** Expects that storage has nothing, no upload is open, and the only asset waits for files. */
export async function expectNothing(house: House, job: JobSnapshot): Promise<void> {
  const { control } = house.service;
  expect(await control.objects(`sources/${job.assetId}/`)).toEqual([]);
  await expect.poll(() => control.openUploads()).toEqual([]);
  expect(control.assets()).toMatchObject([{ id: job.assetId, status: 'AWAITING_FILES' }]);
}

async function hashesOf(source: string): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    hashes[relative(source, path)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  }
  return hashes;
}
