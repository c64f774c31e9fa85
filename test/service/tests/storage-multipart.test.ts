import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListPartsCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { EmbeddedService } from '../model.ts';
import { startEmbeddedService } from '../start-service.ts';
import { createAsset, s3Error, s3For } from './contract-client.ts';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts';

const minPartSize = 5 * 1024 * 1024;

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

interface Open {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string;
}

async function open(name: string): Promise<Open> {
  const place = { Bucket, Key: prefix + name };
  const { UploadId } = await s3.send(
    new CreateMultipartUploadCommand({ ...place, ContentType: 'image/tiff' }),
  );
  return { ...place, UploadId: z.string().parse(UploadId) };
}

async function send(upload: Open, PartNumber: number, Body: Uint8Array | string) {
  const { ETag } = await s3.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
  return { PartNumber, ETag };
}

const complete = (upload: Open, Parts: readonly { PartNumber: number; ETag: string | undefined }[]) =>
  s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: [...Parts] } }));
const md5 = (bytes: Uint8Array | string) => createHash('md5').update(bytes).digest();
const files = () => readdir(join(folder.path, 'blobs'));

describe('contract 4.7: multipart uploads', () => {
  it('multipart uploads join parts sent in any order, with the ETag of their MD5s', async () => {
    const bodies = [Buffer.alloc(minPartSize, 1), Buffer.alloc(minPartSize + 7, 2), Buffer.from('the end')];
    const upload = await open('big.tif');
    const parts = [];
    for (const number of [3, 1, 2]) parts.push(await send(upload, number, bodies[number - 1] ?? ''));
    for (const { PartNumber, ETag } of parts) {
      expect(ETag).toBe(`"${md5(bodies[PartNumber - 1] ?? '').toString('hex')}"`);
    }
    const { ETag } = await complete(
      upload,
      parts.sort((a, b) => a.PartNumber - b.PartNumber),
    );
    const etag = `${md5(Buffer.concat(bodies.map(md5))).toString('hex')}-3`;
    expect(ETag).toBe(`"${etag}"`);
    const wholeObject = Buffer.concat(bodies);
    const [object] = await service.control.objects(upload.Key);
    const sha256 = createHash('sha256').update(wholeObject).digest('hex');
    expect(object).toEqual({ key: upload.Key, size: wholeObject.length, etag, sha256 });
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key: upload.Key }));
    expect(head).toMatchObject({ ContentLength: wholeObject.length, ContentType: 'image/tiff' });
    expect(service.control.openUploads()).not.toContainEqual({ key: upload.Key, uploadId: upload.UploadId });
  });

  it('multipart uploads replace a repeated part and drop parts that the completion doesn’t name', async () => {
    const fileCount = (await files()).length;
    const upload = await open('again');
    await send(upload, 1, 'old');
    await send(upload, 2, 'not wanted');
    const part = await send(upload, 1, 'new');
    expect(await files()).toHaveLength(fileCount + 2);
    await complete(upload, [part]);
    expect(await files()).toHaveLength(fileCount + 1);
    expect((await service.control.objects(upload.Key))[0]?.size).toBe(3);
  });

  it('multipart uploads keep two uploads of one key apart', async () => {
    const [firstUpload, secondUpload] = [await open('same'), await open('same')];
    await send(firstUpload, 1, 'one');
    const part = await send(secondUpload, 1, 'two!');
    await complete(secondUpload, [part]);
    const { Parts } = await s3.send(new ListPartsCommand(firstUpload));
    expect(Parts?.map(({ Size }) => Size)).toEqual([3]);
  });

  it('multipart uploads verify Content-MD5 of parts', async () => {
    const upload = await open('md5');
    const ContentMD5 = md5('other').toString('base64');
    const attempt = s3.send(new UploadPartCommand({ ...upload, PartNumber: 1, Body: 'data', ContentMD5 }));
    expect(await s3Error(attempt)).toEqual({ code: 'BadDigest', status: 400 });
    expect((await s3.send(new ListPartsCommand(upload))).Parts ?? []).toEqual([]);
  });
});

describe('contract 4.7: listing parts', () => {
  it('listing parts: sorts by number, page by page', async () => {
    const upload = await open('pages');
    for (const number of [5, 1, 4, 2, 3]) await send(upload, number, 'x'.repeat(number));
    const list = (PartNumberMarker?: string) =>
      s3.send(new ListPartsCommand({ ...upload, MaxParts: 2, PartNumberMarker }));
    const firstPage = await list();
    const secondPage = await list(firstPage.NextPartNumberMarker);
    const third = await list(secondPage.NextPartNumberMarker);
    const pages = [firstPage, secondPage, third];
    expect(pages.map(({ IsTruncated }) => IsTruncated)).toEqual([true, true, false]);
    const parts = pages.flatMap(({ Parts }) => Parts ?? []);
    expect(parts.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual(
      [1, 2, 3, 4, 5].map((n) => [n, n]),
    );
    expect(parts[0]?.ETag).toBe(`"${md5('x').toString('hex')}"`);
  });

  it('listing parts: returns at most 1000 parts', async () => {
    const upload = await open('many');
    await Promise.all(Array.from({ length: 1001 }, (_, index) => send(upload, index + 1, 'x')));
    const page = await s3.send(new ListPartsCommand({ ...upload, MaxParts: 5000 }));
    expect(page).toMatchObject({ IsTruncated: true, NextPartNumberMarker: '1000', MaxParts: 1000 });
    expect(page.Parts).toHaveLength(1000);
  });
});

describe('contract 4.7: invalid completions', () => {
  it.each([
    ['a part that is not there', 'InvalidPart', [1, 3]],
    ['parts out of order', 'InvalidPartOrder', [2, 1]],
    ['a part named twice', 'InvalidPartOrder', [1, 1]],
    ['a part under 5 MiB that is not the last', 'EntityTooSmall', [1, 2]],
  ])('storage refuses a completion: %s: %s', async (_, code, numbers) => {
    const upload = await open('refused');
    const sentParts = [await send(upload, 1, 'small'), await send(upload, 2, 'small')];
    const namedParts = numbers.map((number) => sentParts[number - 1] ?? { PartNumber: number, ETag: '"x"' });
    expect(await s3Error(complete(upload, namedParts))).toEqual({ code, status: 400 });
    expect((await s3.send(new ListPartsCommand(upload))).Parts).toHaveLength(2);
  });

  it('storage refuses a completion with another ETag', async () => {
    const upload = await open('etag');
    await send(upload, 1, 'data');
    const wrongPart = { PartNumber: 1, ETag: `"${md5('other').toString('hex')}"` };
    expect((await s3Error(complete(upload, [wrongPart]))).code).toBe('InvalidPart');
  });

  it('storage refuses a completion with an empty list of parts', async () => {
    const upload = await open('none');
    expect((await s3Error(complete(upload, []))).code).toBe('MalformedXML');
  });

  it.each([0, 10_001])('storage refuses a completion with the part number %i', async (number) => {
    const upload = await open('numbers');
    expect((await s3Error(send(upload, number, 'x'))).code).toBe('InvalidArgument');
  });
});

describe('contract 4.7: ended uploads', () => {
  it('ended uploads answer NoSuchUpload after completion, abort, and for unknown IDs and other keys', async () => {
    const endedUpload = await open('done');
    const part = await send(endedUpload, 1, 'x');
    await complete(endedUpload, [part]);
    const aborted = await open('aborted');
    await s3.send(new AbortMultipartUploadCommand(aborted));
    const living = await open('living');
    for (const upload of [
      endedUpload,
      aborted,
      { ...endedUpload, UploadId: 'x' },
      { ...living, Key: `${prefix}other` },
    ]) {
      const missingUpload = { code: 'NoSuchUpload', status: 404 };
      expect(await s3Error(s3.send(new ListPartsCommand(upload)))).toEqual(missingUpload);
      expect(await s3Error(send(upload, 1, 'x'))).toEqual(missingUpload);
      expect(await s3Error(complete(upload, [part]))).toEqual(missingUpload);
      expect(await s3Error(s3.send(new AbortMultipartUploadCommand(upload)))).toEqual(missingUpload);
    }
  });

  it('ended uploads leave no bytes on disk after an abort', async () => {
    const fileCount = (await files()).length;
    const upload = await open('abort');
    await send(upload, 1, 'x');
    await s3.send(new AbortMultipartUploadCommand(upload));
    expect(await files()).toHaveLength(fileCount);
    expect(service.control.openUploads().map(({ uploadId }) => uploadId)).not.toContain(upload.UploadId);
  });
});

it('storage settings for tests limit the parts on a page', async () => {
  const paged = await startEmbeddedService({ partsPerPage: 2 });
  const { uploadLocation } = await createAsset(paged);
  const client = s3For(paged, uploadLocation);
  const place = { Bucket: uploadLocation.bucket, Key: `${uploadLocation.prefix}a` };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(place));
  for (const PartNumber of [1, 2, 3]) {
    await client.send(new UploadPartCommand({ ...place, UploadId, PartNumber, Body: 'x' }));
  }
  const firstPage = await client.send(new ListPartsCommand({ ...place, UploadId }));
  expect(firstPage).toMatchObject({ IsTruncated: true, Parts: [{ PartNumber: 1 }, { PartNumber: 2 }] });
  await paged.stop();
});

it('storage settings for tests delete stored parts', async () => {
  const upload = await open('lossy');
  const parts = [await send(upload, 1, Buffer.alloc(minPartSize)), await send(upload, 2, 'end')];
  await service.control.loseParts({ key: upload.Key, numbers: [1] });
  expect((await s3.send(new ListPartsCommand(upload))).Parts).toMatchObject([{ PartNumber: 2 }]);
  expect(await s3Error(complete(upload, parts))).toEqual({ code: 'InvalidPart', status: 400 });
});
