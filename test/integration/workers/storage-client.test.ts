import { createHash, randomBytes } from 'node:crypto';
import { type AddressInfo, connect, createServer } from 'node:net';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { UploadLocation } from '../../../main/service/model.ts';
import type { Storage } from '../../../main/storage/storage.ts';
import { createStorageClient } from '../../../main/workers/storage-client.ts';
import type { EmbeddedService } from '../../service/model.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { serviceApi } from '../jobs/house.ts';
import { orderWholeFile } from '../storage/part-order.ts';

let service: EmbeddedService;
let storage: Storage;
let location: UploadLocation;
let folder: string;

beforeEach(async () => {
  service = await startEmbeddedService();
  const body = { name: 'A', type: 'IMAGERY', options: { sourceType: 'RASTER_IMAGERY' } } as const;
  const { uploadLocation } = await serviceApi(service).createAsset(body);
  storage = createStorageClient(uploadLocation);
  location = uploadLocation;
  folder = temporaryFolder();
});
afterEach(async () => {
  storage.close();
  await service.stop();
});

const wholeFile = (key: string, bytes: Uint8Array) => orderWholeFile(folder, key, bytes);
const hex = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex');

it.each(['a b/ü.tif', 'a+b%20#?&=.las', 'quo\'te"*()!~.obj', '🏔/e\u0301.tif', './../a//b.tif'])(
  'the storage client puts the key %j below the prefix',
  async (key) => {
    const bytes = randomBytes(300_000);

    const sentPart = await storage.sendPart(await wholeFile(key, bytes));

    expect(sentPart).toEqual({
      number: 1,
      size: bytes.length,
      etag: hex(bytes),
      isMd5: true,
      crc32: crc32(bytes),
    });
    expect(await service.control.objects()).toMatchObject([
      { key: `${location.prefix}${key}`, size: bytes.length },
    ]);
    expect(await storage.headObject(key)).toMatchObject({ size: bytes.length, etag: hex(bytes) });
  },
);

it('the storage client reaches storage by IPv6', async () => {
  const { port } = new URL(service.storageUrl);
  const door = createServer((client) => {
    const target = connect(Number(port), '127.0.0.1');
    client.on('error', () => target.destroy()).pipe(target);
    target.on('error', () => client.destroy()).pipe(client);
  });
  await new Promise<void>((resolve) => door.listen(0, '::1', resolve));
  const { port: sixPort } = door.address() as AddressInfo;
  const six = createStorageClient({ ...location, endpoint: `http://[::1]:${sixPort}` });
  try {
    const bytes = randomBytes(300_000);
    expect(await six.sendPart(await wholeFile('a.tif', bytes))).toEqual({
      number: 1,
      size: bytes.length,
      etag: hex(bytes),
      isMd5: true,
      crc32: crc32(bytes),
    });
    expect(await service.control.objects()).toMatchObject([{ size: bytes.length }]);
  } finally {
    six.close();
    door.close();
  }
});

it('the storage client reports the sent bytes of a part while sending', async () => {
  service.control.addFault({
    match: { room: 'storage', method: 'PUT' },
    action: { kind: 'throttle', bytesPerSecond: 20_000_000 },
  });
  const sentNumbers: number[] = [];

  await storage.sendPart(await wholeFile('a.tif', randomBytes(8_000_000)), {
    onSent: (bytes) => sentNumbers.push(bytes),
  });

  expect(sentNumbers.length).toBeGreaterThan(1);
  expect(sentNumbers.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(8_000_000);
});

it('the storage client rejects with the signal’s reason when aborted', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(storage.headObject('a', { signal })).rejects.toThrow('enough');
});
