import { crc32 } from 'node:zlib';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crc32Text } from '../../../main/storage/crc32.ts';
import type { EmbeddedService } from '../model.ts';
import { startEmbeddedService } from '../start-service.ts';
import { createAsset, s3Error, s3For } from './contract-client.ts';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts';

let service: EmbeddedService;
let folder: TemporaryFolder;
let s3: S3Client;
let Bucket: string;
let prefix: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startEmbeddedService({ dataFolder: folder.path });
  const { uploadLocation } = await createAsset(service);
  ({ bucket: Bucket, prefix } = uploadLocation);
  s3 = s3For(service, uploadLocation);
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

const checksum = (bytes: string | Uint8Array) => crc32Text(crc32(bytes));
const firstPart = Buffer.alloc(5 * 1024 * 1024, 3);
const lastPart = Buffer.from('the last heights');
const wrongSum = checksum('something else');
const place = (name: string) => ({ Bucket, Key: prefix + name });

async function open(name: string, ChecksumType?: 'COMPOSITE' | 'FULL_OBJECT') {
  const declaredSum = ChecksumType ? { ChecksumAlgorithm: 'CRC32' as const, ChecksumType } : {};
  const begunUpload = await s3.send(new CreateMultipartUploadCommand({ ...place(name), ...declaredSum }));
  return { ...begunUpload, upload: { ...place(name), UploadId: begunUpload.UploadId } };
}

type Upload = Awaited<ReturnType<typeof open>>['upload'];

const send = (upload: Upload, PartNumber: number, Body: Buffer, ChecksumCRC32?: string) =>
  s3.send(
    new UploadPartCommand({ ...upload, PartNumber, Body, ...(ChecksumCRC32 ? { ChecksumCRC32 } : {}) }),
  );

async function sendBoth(upload: Upload) {
  const parts = [];
  for (const [index, body] of [firstPart, lastPart].entries()) {
    const { ETag, ChecksumCRC32 } = await send(upload, index + 1, body, checksum(body));
    parts.push({ PartNumber: index + 1, ETag, ChecksumCRC32 });
  }
  return parts;
}

describe('CRC32 of a request', () => {
  it('CRC32 of a request: compares and returns a CRC32', async () => {
    const putResult = await s3.send(
      new PutObjectCommand({ ...place('a.txt'), Body: lastPart, ChecksumCRC32: checksum(lastPart) }),
    );
    expect(putResult).toMatchObject({ ChecksumCRC32: checksum(lastPart), ChecksumType: 'FULL_OBJECT' });
    const head = await s3.send(new HeadObjectCommand({ ...place('a.txt'), ChecksumMode: 'ENABLED' }));
    expect(head.ChecksumCRC32).toBe(checksum(lastPart));
  });

  it('CRC32 of a request: refuses other bytes and stores none of them', async () => {
    const putPromise = s3.send(
      new PutObjectCommand({ ...place('b.txt'), Body: lastPart, ChecksumCRC32: wrongSum }),
    );
    expect(await s3Error(putPromise)).toMatchObject({ code: 'BadDigest' });
    expect(await s3Error(s3.send(new HeadObjectCommand(place('b.txt'))))).toMatchObject({ code: 'NotFound' });
  });

  it('storage refuses a malformed CRC32', async () => {
    const putPromise = s3.send(
      new PutObjectCommand({ ...place('c.txt'), Body: lastPart, ChecksumCRC32: 'crc' }),
    );
    expect(await s3Error(putPromise)).toMatchObject({ code: 'InvalidRequest' });
  });
});

it('upload that is declared to carry CRC32s: compares and lists each part and compares the whole', async () => {
  const { upload, ...begunUpload } = await open('whole.tif', 'FULL_OBJECT');
  expect(begunUpload).toMatchObject({ ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' });
  expect(await s3Error(send(upload, 1, firstPart, wrongSum))).toMatchObject({ code: 'BadDigest' });
  const Parts = await sendBoth(upload);
  const listedParts = await s3.send(new ListPartsCommand(upload));
  expect(listedParts.Parts?.map(({ ChecksumCRC32 }) => ChecksumCRC32)).toEqual([
    checksum(firstPart),
    checksum(lastPart),
  ]);
  const complete = (ChecksumCRC32: string) =>
    s3.send(
      new CompleteMultipartUploadCommand({
        ...upload,
        MultipartUpload: { Parts },
        ChecksumCRC32,
        ChecksumType: 'FULL_OBJECT',
      }),
    );
  expect(await s3Error(complete(wrongSum))).toMatchObject({ code: 'BadDigest' });
  const wholeSum = checksum(Buffer.concat([firstPart, lastPart]));
  expect(await complete(wholeSum)).toMatchObject({ ChecksumCRC32: wholeSum, ChecksumType: 'FULL_OBJECT' });
});

it('upload that is declared to carry CRC32s: requires the CRC32 of every part at its end if it has none of the whole', async () => {
  const { upload } = await open('parts.tif', 'COMPOSITE');
  const Parts = await sendBoth(upload);
  const complete = (parts: typeof Parts) =>
    s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }));
  const partsWithoutSum = Parts.map(({ ChecksumCRC32: _, ...part }) => ({
    ...part,
    ChecksumCRC32: undefined,
  }));
  expect(await s3Error(complete(partsWithoutSum))).toMatchObject({ code: 'InvalidRequest' });
  expect(await complete(Parts)).toMatchObject({ ChecksumType: 'COMPOSITE' });
});

it('refuses a CRC32 with a part of an upload that wasn’t declared to carry any', async () => {
  const { upload } = await open('undeclared.tif');
  expect(await s3Error(send(upload, 1, lastPart, checksum(lastPart)))).toMatchObject({
    code: 'InvalidRequest',
  });
});

it('accepts wrong CRC32s silently if configured like Ceph RGW', async () => {
  service.control.seed({ checksums: 'ignore' });
  const { upload, ...begunUpload } = await open('ignored.tif', 'FULL_OBJECT');
  expect(begunUpload.ChecksumAlgorithm).toBeUndefined();
  expect((await send(upload, 1, lastPart, wrongSum)).ChecksumCRC32).toBeUndefined();
  service.control.seed({ checksums: 'verify' });
});
