/** CRC32s at a real object store. Ceph RGW 16.2 ignores them, so success proves nothing. */
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { crc32Text } from '../../main/storage/crc32.ts';
import { type House, hasStatus, openHouse } from '../integration/jobs/house.ts';
import { createAsset, s3For } from '../service/tests/contract-client.ts';
import { objectStore } from './settings.ts';

const wrongSum = crc32Text(7);

let house: House;
let s3: S3Client;
let place: { readonly Bucket: string; readonly Key: string };
beforeAll(async () => {
  house = await openHouse({ externalStorage: objectStore('checksums') });
  const { uploadLocation } = await createAsset(house.service);
  s3 = s3For(house.service, uploadLocation);
  place = { Bucket: uploadLocation.bucket, Key: `${uploadLocation.prefix}heights` };
});
afterAll(() => house.close());

it('accepts a wrong CRC32 of an object without an error', async () => {
  const answer = await s3.send(new PutObjectCommand({ ...place, Body: 'heights', ChecksumCRC32: wrongSum }));
  expect(answer.ETag).toBeDefined();
  expect(answer.ChecksumCRC32).toBeUndefined();
});

it('accepts wrong CRC32s of a part and of the whole without an error', async () => {
  const declaredSum = { ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' } as const;
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ ...place, ...declaredSum }));
  const upload = { ...place, UploadId };
  const part = { PartNumber: 1, Body: 'heights', ChecksumCRC32: wrongSum };
  const sentPart = await s3.send(new UploadPartCommand({ ...upload, ...part }));
  expect(sentPart.ChecksumCRC32).toBeUndefined();
  const { Parts = [] } = await s3.send(new ListPartsCommand(upload));
  expect(Parts.map(({ ChecksumCRC32 }) => ChecksumCRC32)).toEqual([undefined]);
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag: sentPart.ETag }] };
  const wholeObject = { ChecksumCRC32: wrongSum, ChecksumType: 'FULL_OBJECT' } as const;
  const completeResult = await s3.send(
    new CompleteMultipartUploadCommand({ ...upload, MultipartUpload, ...wholeObject }),
  );
  expect(completeResult.ETag).toBeDefined();
  expect(completeResult.ChecksumCRC32).toBeUndefined();
});

it('records files and parts as compared by MD5', async () => {
  const id = house.add(await house.source({ 'small.tif': 70_000, 'large.tif': 17 * 2 ** 20 }));
  await house.until(id, hasStatus('complete'));
  const comparedSums = [...house.jobs.sentFiles(id)].map(({ key, comparedBy }) => [key, comparedBy]);
  expect(Object.fromEntries(comparedSums)).toEqual({ 'small.tif': 'md5', 'large.tif': 'md5' });
});
