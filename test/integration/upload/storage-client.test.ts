import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UploadLocation } from '../../../main/service/model.ts';
import type { Storage } from '../../../main/upload/storage.ts';
import { createStorageClient } from '../../../main/upload/storage-client.ts';
import type { EmbeddedService } from '../../service/model.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { serviceApi } from '../jobs/house.ts';

let service: EmbeddedService;
let storage: Storage;
let location: UploadLocation;

beforeEach(async () => {
  service = await startEmbeddedService();
  const body = { name: 'A', type: 'IMAGERY', options: { sourceType: 'RASTER_IMAGERY' } } as const;
  const { uploadLocation } = await serviceApi(service).createAsset(body);
  storage = createStorageClient(uploadLocation);
  location = uploadLocation;
});
afterEach(async () => {
  storage.close();
  await service.stop();
});

const bodyOf = (bytes: Uint8Array) => ({ bytes, md5: createHash('md5').update(bytes).digest('base64') });
const hex = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex');

describe('the storage client', () => {
  it('puts an object below the prefix and tells of every byte on its way', async () => {
    const bytes = randomBytes(300_000);
    const sent: number[] = [];

    const answer = await storage.putObject('a b/ü.tif', bodyOf(bytes), {
      onSent: (count) => sent.push(count),
    });

    expect(answer).toEqual({ etag: hex(bytes), comparable: true });
    expect(sent.length).toBeGreaterThan(3);
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(bytes.length);
    expect(await service.control.objects()).toMatchObject([
      { key: `${location.prefix}a b/ü.tif`, size: bytes.length },
    ]);
    expect(await storage.headObject('a b/ü.tif')).toMatchObject({ size: bytes.length, etag: hex(bytes) });
  });

  it('lists the parts of all pages', async () => {
    const uploadId = await storage.createMultipartUpload('big.tif');
    const count = 1_001;
    for (let first = 1; first <= count; first += 50) {
      const numbers = Array.from({ length: Math.min(50, count - first + 1) }, (_, index) => first + index);
      await Promise.all(
        numbers.map((number) =>
          storage.uploadPart('big.tif', uploadId, number, bodyOf(Buffer.from(`part ${number}`))),
        ),
      );
    }

    const parts = await storage.listParts('big.tif', uploadId);

    expect(parts).toHaveLength(count);
    expect(parts.at(-1)).toEqual({ number: count, size: 9, etag: hex(Buffer.from(`part ${count}`)) });
  });

  it('has bytes that differ from their MD5 refused', async () => {
    const wrong = { bytes: Buffer.from('one'), md5: bodyOf(Buffer.from('two')).md5 };
    await expect(storage.putObject('a.tif', wrong)).rejects.toMatchObject({
      name: 'StorageError',
      fault: { status: 400, code: 'BadDigest' },
    });
  });

  it('throws the error inside an answer of 200', async () => {
    const uploadId = await storage.createMultipartUpload('a.tif');
    service.control.addFault({
      match: { room: 'storage', method: 'POST' },
      action: { kind: 'status', status: 200, body: '<Error><Code>InternalError</Code></Error>' },
    });
    await expect(storage.completeMultipartUpload('a.tif', uploadId, [])).rejects.toMatchObject({
      fault: { code: 'InternalError' },
    });
  });

  it('tells what is gone, what is denied and what nobody answers', async () => {
    await expect(storage.headObject('nothing')).rejects.toMatchObject({ fault: { status: 404 } });
    await expect(storage.listParts('a', 'nothing')).rejects.toMatchObject({
      fault: { status: 404, code: 'NoSuchUpload' },
    });
    const outside = createStorageClient({ ...location, prefix: 'sources/999999/' });
    await expect(outside.putObject('a', bodyOf(Buffer.from('x')))).rejects.toMatchObject({
      fault: { status: 403, code: 'AccessDenied' },
    });
    outside.close();
    const nobody = createStorageClient({ ...location, endpoint: 'http://127.0.0.1:1' });
    await expect(nobody.headObject('a')).rejects.toMatchObject({ fault: { code: 'ECONNREFUSED' } });
    nobody.close();
  });

  it('ends with the signal’s reason', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(storage.headObject('a', { signal })).rejects.toThrow('enough');
  });
});
