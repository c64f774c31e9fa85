import { createHash, randomBytes } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UploadLocation } from '../../../main/service/model.ts';
import { ChecksumMemory } from '../../../main/storage/checksum-memory.ts';
import type { BegunUpload, PartOrder, SentPart, Storage } from '../../../main/storage/storage.ts';
import { partRange } from '../../../main/transfer/plan.ts';
import { createStorageClient } from '../../../main/workers/storage-client.ts';
import type { EmbeddedService } from '../../service/model.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { serviceApi } from '../jobs/house.ts';
import { orderWholeFile } from '../storage/part-order.ts';

const partSize = 5 * 1024 * 1024;

let service: EmbeddedService;
let storage: Storage;
let location: UploadLocation;
let relay: Server;
let folder: string;
/** Checksums sent with each PUT, in order. */
let sums: string[];
/** Changes bytes in transit. */
let onWay: (bytes: Buffer) => Buffer;

beforeEach(async () => {
  service = await startEmbeddedService();
  const body = { name: 'A', type: 'IMAGERY', options: { sourceType: 'RASTER_IMAGERY' } } as const;
  ({ uploadLocation: location } = await serviceApi(service).createAsset(body));
  sums = [];
  onWay = (bytes) => bytes;
  relay = createServer((client) => {
    const target = connect(Number(new URL(service.storageUrl).port), '127.0.0.1');
    client.on('error', () => target.destroy());
    client.on('end', () => target.end());
    client.on('data', (bytes) => {
      const [head = ''] = bytes.toString('latin1').split('\r\n\r\n', 1);
      if (head.startsWith('PUT '))
        sums.push([...head.matchAll(/(content-md5|crc32):/gi)].map(([, name]) => name).join('+'));
      target.write(onWay(bytes));
    });
    target.on('error', () => client.destroy()).pipe(client);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const { port } = relay.address() as AddressInfo;
  location = { ...location, endpoint: `http://127.0.0.1:${port}` };
  storage = createStorageClient(location, { workers: 1 });
  folder = temporaryFolder();
});
afterEach(async () => {
  storage.close();
  relay.close();
  await service.stop();
});

const fileOf = async (bytes: Buffer): Promise<PartOrder> => ({
  ...(await orderWholeFile(folder, String(crc32(bytes)), bytes)),
  key: 'a.tif',
});

const partsOf =
  (order: PartOrder, { uploadId, checksum }: BegunUpload) =>
  (number: number) =>
    storage.sendPart({
      ...order,
      ...partRange(order.size, partSize, number),
      uploadId,
      mayCarryCrc32: checksum !== null,
    });
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex');

it('storage that compares CRC32s: gets both checksums with the first part, the CRC32 with other parts, and the CRC32 of the whole', async () => {
  const bytes = randomBytes(2 * partSize + 100);
  const order = await fileOf(bytes);
  const upload = await storage.createMultipartUpload(order.key);
  expect(upload.checksum).toBe('whole');
  const send = partsOf(order, upload);
  const parts: SentPart[] = [];
  for (const number of [1, 2, 3]) parts.push(await send(number));
  expect(sums).toEqual(['content-md5+crc32', 'crc32', 'crc32']);
  for (const { number, etag, crc32: crc, isMd5 } of parts) {
    const partBytes = bytes.subarray((number - 1) * partSize, number * partSize);
    expect({ etag, crc, isMd5 }).toEqual({ etag: md5(partBytes), crc: crc32(partBytes), isMd5: true });
  }
  const listedParts = await storage.listParts(order.key, upload.uploadId);
  expect(listedParts).toEqual(parts.map(({ isMd5: _, ...part }) => part));

  const wrongParts = parts.map((part) => (part.number === 2 ? { ...part, crc32: 7 } : part));
  await expect(storage.completeMultipartUpload(order.key, upload, wrongParts)).rejects.toMatchObject({
    fault: { code: 'InvalidPart' },
  });
  await storage.completeMultipartUpload(order.key, upload, parts);
  expect(await service.control.objects()).toMatchObject([
    { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
  ]);
});

it('storage that compares CRC32s: gets both checksums with the first small file and the CRC32 with the next', async () => {
  const order = await fileOf(randomBytes(70_000));
  for (const key of ['a', 'b', 'c']) await storage.sendPart({ ...order, key });
  expect(sums).toEqual(['content-md5+crc32', 'crc32', 'crc32']);
});

it('storage that compares CRC32s: refuses bytes corrupted in transit by the CRC32 alone', async () => {
  const order = await fileOf(Buffer.alloc(70_000, 'heights'));
  await storage.sendPart(order);
  onWay = (bytes) =>
    Buffer.from(bytes.toString('latin1').replace('heightsheights', 'heightsHeights'), 'latin1');
  await expect(storage.sendPart({ ...order, key: 'b' })).rejects.toMatchObject({
    fault: { code: 'BadDigest' },
  });
  expect(sums).toEqual(['content-md5+crc32', 'crc32']);
  expect(await service.control.objects()).toHaveLength(1);
});

it('storage that ignores CRC32s: gets the MD5 with every part', async () => {
  service.control.seed({ checksums: 'ignore' });
  const order = await fileOf(randomBytes(2 * partSize + 100));
  const upload = await storage.createMultipartUpload(order.key);
  const send = partsOf(order, upload);
  const parts = [await send(1), await send(2), await send(3)];
  expect(sums).toEqual(['content-md5+crc32', 'content-md5', 'content-md5']);
  expect(parts.every((part) => part.crc32 === undefined && part.isMd5)).toBe(true);
  await storage.completeMultipartUpload(order.key, upload, parts);
});

it('sends a part again with its MD5 if storage stops comparing CRC32s', async () => {
  const order = await fileOf(randomBytes(3 * partSize));
  const upload = await storage.createMultipartUpload(order.key);
  const send = partsOf(order, upload);
  const parts = [await send(1)];
  service.control.seed({ checksums: 'ignore' });
  parts.push(await send(2), await send(3));
  expect(sums).toEqual(['content-md5+crc32', 'crc32', 'content-md5', 'content-md5']);
  expect(parts.map(({ crc32: crc }) => crc !== undefined)).toEqual([true, false, false]);
  await storage.completeMultipartUpload(order.key, upload, parts);
  expect(await service.control.objects()).toMatchObject([{ size: order.size }]);
});

it('storage that refuses CRC32s after comparing them: gets the other parts with the MD5 alone and is no longer remembered', async () => {
  const memory = new ChecksumMemory();
  storage.close();
  storage = createStorageClient(location, { workers: 1, memory });
  const order = await fileOf(randomBytes(4 * partSize));
  await storage.sendPart({ ...order, key: 'whole' });
  const upload = await storage.createMultipartUpload(order.key);
  const send = partsOf(order, upload);
  const parts = [await send(1), await send(2)];
  sums = [];
  service.control.seed({ checksums: 'refuse' });
  parts.push(...(await Promise.all([send(3), send(4)])));
  // Both parts were sent before either was refused, or one after the other.
  expect(sums.filter((checksum) => checksum !== 'crc32')).toEqual(['content-md5', 'content-md5']);
  expect(parts.map(({ crc32: crc }) => crc !== undefined)).toEqual([true, true, false, false]);
  await storage.completeMultipartUpload(order.key, upload, parts);
  expect(await service.control.objects()).toContainEqual(expect.objectContaining({ size: order.size }));

  storage.close();
  sums = [];
  storage = createStorageClient(location, { workers: 1, memory });
  await storage.sendPart(order);
  expect(sums).toEqual(['content-md5+crc32', 'content-md5']);
  expect((await storage.createMultipartUpload(order.key)).checksum).toBeNull();
});

it('storage that refuses CRC32s after comparing them: gets a completion without CRC32s', async () => {
  const order = await fileOf(randomBytes(2 * partSize));
  const upload = await storage.createMultipartUpload(order.key);
  const send = partsOf(order, upload);
  const parts = [await send(1), await send(2)];
  service.control.seed({ checksums: 'refuse' });
  await storage.completeMultipartUpload(order.key, upload, parts);
  expect(await service.control.objects()).toMatchObject([{ size: order.size }]);
});

it('storage that refuses CRC32s after comparing them: gives up an upload that storage completes neither with nor without CRC32s', async () => {
  const order = await fileOf(randomBytes(2 * partSize));
  const upload = await storage.createMultipartUpload(order.key);
  const parts = [await partsOf(order, upload)(1)];
  service.control.addFault({
    match: { room: 'storage', method: 'POST', path: 'uploadId=', times: 2 },
    action: { kind: 'status', status: 400, body: '<Error><Code>InvalidRequest</Code></Error>' },
  });
  await expect(storage.completeMultipartUpload(order.key, upload, parts)).rejects.toMatchObject({
    fault: { code: 'NoSuchUpload' },
  });
  expect((await storage.createMultipartUpload(order.key)).checksum).toBeNull();
});

describe('part in storage without a record', () => {
  it.each([
    ['is compared by CRC32 too if storage lists ours', 'same', true],
    ['is compared by MD5 if storage lists another', 'other', false],
    ['is compared by MD5 if storage lists none', undefined, false],
  ] as const)('%s', async (_, listedAs, byCrc32) => {
    const bytes = randomBytes(partSize);
    const order = await fileOf(bytes);
    const crc = { same: crc32(bytes), other: 1 };
    const adoptable = { md5: md5(bytes), ...(listedAs ? { crc32: crc[listedAs] } : {}) };
    const sentPart = await storage.sendPart({ ...order, uploadId: 'never asked', adoptable });
    expect(sums).toEqual([]);
    expect(sentPart).toMatchObject({ etag: md5(bytes), isMd5: true });
    expect(sentPart.crc32).toBe(byCrc32 ? crc.same : undefined);
  });
});

it('sends no CRC32 with a part of an upload that wasn’t declared to carry them', async () => {
  const order = await fileOf(randomBytes(2 * partSize));
  const { uploadId } = await storage.createMultipartUpload(order.key);
  await partsOf(order, { uploadId, checksum: null })(1);
  expect(sums).toEqual(['content-md5']);
});
