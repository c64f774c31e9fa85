import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, readlink, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FileIdentity, identityOf } from '../../../main/files/file-identity.ts';
import { createPoolReads, createThreadReads, ThreadReads } from '../../../main/files/pool-reads.ts';
import type { UploadLocation } from '../../../main/service/model.ts';
import type { BegunUpload, PartOrder, Storage } from '../../../main/storage/storage.ts';
import { partRange } from '../../../main/transfer/plan.ts';
import { createStorageClient } from '../../../main/workers/storage-client.ts';
import { StreamedPart } from '../../../main/workers/streamed-part.ts';
import type { EmbeddedService } from '../../service/model.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { serviceApi } from '../jobs/house.ts';

/** Larger than the system's buffers, so that reading continues after the first bytes have arrived. */
const partSize = 16 * 1024 * 1024;
const size = 2 * partSize + 100_001;

let service: EmbeddedService;
let storage: Storage;
let location: UploadLocation;
let relay: Server;
let folder: string;
let path: string;
let bytes: Buffer;
let upload: BegunUpload = { uploadId: '', checksum: 'whole' };
/** Headers of all PUTs, in order. */
let heads: string[];
/** Called with the first bytes of a PUT; reading continues when the result resolves. */
let onPut: (client: Socket) => Promise<void>;

async function start(checksums: 'verify' | 'ignore') {
  service = await startEmbeddedService();
  service.control.seed({ checksums });
  const body = { name: 'A', type: 'IMAGERY', options: { sourceType: 'RASTER_IMAGERY' } } as const;
  ({ uploadLocation: location } = await serviceApi(service).createAsset(body));
  const { port } = relay.address() as AddressInfo;
  storage = createStorageClient({ ...location, endpoint: `http://127.0.0.1:${port}` }, { workers: 1 });
  upload = await storage.createMultipartUpload('a.tif');
}

beforeEach(async () => {
  heads = [];
  onPut = async () => {};
  relay = createServer((client) => {
    const target = connect(Number(new URL(service.storageUrl).port), '127.0.0.1');
    client.on('error', () => target.destroy());
    const startPass = async () => {
      for await (const piece of client as AsyncIterable<Buffer>) {
        const [head = ''] = piece.toString('latin1').split('\r\n\r\n', 1);
        if (head.startsWith('PUT ')) {
          heads.push(head);
          await onPut(client);
        }
        target.write(piece);
      }
      target.end();
    };
    startPass().catch(() => target.destroy());
    client.on('close', () => target.destroy());
    target.on('error', () => client.destroy()).pipe(client);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  folder = temporaryFolder();
  path = join(folder, 'a.tif');
  bytes = randomBytes(size);
  await writeFile(path, bytes);
  // Whole seconds, so that restoring the time gives the same value.
  await utimes(path, 1_700_000_000, 1_700_000_000);
});
afterEach(async () => {
  storage?.close();
  relay.close();
  await service?.stop();
});

async function partOf(number: number, identity?: FileIdentity): Promise<PartOrder> {
  const { mtimeMs } = await stat(path);
  const source = { path, size, mtimeMs, key: 'a.tif', ...(identity ? { identity } : {}) };
  const { uploadId, checksum } = upload;
  const range = partRange(size, partSize, number);
  return {
    ...source,
    ...range,
    uploadId,
    mayCarryCrc32: checksum !== null,
    adoptable: null,
    isStreamed: true,
  };
}

/** Open files of this process, if the system lists them. */
async function openHere(): Promise<readonly string[]> {
  const descriptors = await readdir('/proc/self/fd').catch(() => []);
  return Promise.all(
    descriptors.map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => '')),
  );
}

async function overwrite(at: number): Promise<void> {
  const file = await open(path, 'r+');
  await file.write('other bytes', at);
  await file.close();
}

const partBytes = (number: number) => bytes.subarray((number - 1) * partSize, number * partSize);
const md5 = (part: Buffer) => createHash('md5').update(part).digest('hex');
const whatCame = async () => (await storage.listParts('a.tif', upload.uploadId)).map(({ number }) => number);

/** Resolves once a part is hashed and little of it has been sent. */
function whileSent(happen: (client: Socket) => unknown): void {
  onPut = async (client) => {
    onPut = async () => {};
    await happen(client);
  };
}

it.each([
  ['verify', ['content-md5+crc32', 'crc32', 'crc32']],
  ['ignore', ['content-md5+crc32', 'content-md5', 'content-md5']],
] as const)(
  'a streamed part arrives unchanged with the checksums that storage compares (%s)',
  async (checksums, expected) => {
    await start(checksums);
    const parts = [];
    for (const number of [1, 2, 3]) parts.push(await storage.sendPart(await partOf(number)));

    for (const { number, etag, crc32: crc } of parts) {
      expect(etag).toBe(md5(partBytes(number)));
      if (checksums === 'verify') expect(crc).toBe(crc32(partBytes(number)));
    }
    const sums = heads.map((head) =>
      [...head.matchAll(/(content-md5|crc32):/gi)].map(([, checksum]) => checksum),
    );
    expect(sums.map((names) => names.join('+'))).toEqual(expected);
    await storage.completeMultipartUpload('a.tif', upload, parts);
    expect(await service.control.objects()).toMatchObject([{ size }]);
  },
);

it('a streamed part is read again for its MD5 if storage stops comparing CRC32s', async () => {
  await start('verify');
  await storage.sendPart(await partOf(1));
  service.control.seed({ checksums: 'ignore' });
  const secondPart = await storage.sendPart(await partOf(2));
  expect(secondPart).toMatchObject({ etag: md5(partBytes(2)) });
});

it('a streamed part is sent again from its beginning after the connection was cut', async () => {
  await start('verify');
  // The first connection was kept, so the client retries on another without a report.
  onPut = async (client) => void client.resetAndDestroy();
  const order = await partOf(1);
  await expect(storage.sendPart(order)).rejects.toMatchObject({ name: 'StorageError' });
  onPut = async () => {};
  expect(await whatCame()).toEqual([]);
  expect(await storage.sendPart(order)).toMatchObject({
    crc32: crc32(partBytes(1)),
    etag: md5(partBytes(1)),
  });
});

it('a streamed part is repeated once if a kept connection was closed', async () => {
  await start('verify');
  await storage.sendPart(await partOf(1));
  whileSent((client) => client.resetAndDestroy());
  expect(await storage.sendPart(await partOf(2))).toMatchObject({ crc32: crc32(partBytes(2)) });
  expect(heads).toHaveLength(3);
});

it('a streamed part never reaches storage if its file is written meanwhile', async () => {
  await start('verify');
  whileSent(() => overwrite(partSize - 100));
  await expect(storage.sendPart(await partOf(1))).rejects.toMatchObject({ code: 'source-changed' });
  expect(await whatCame()).toEqual([]);
});

it('a streamed part never reaches storage with other bytes than were hashed, whatever the file’s metadata say', async () => {
  await start('verify');
  const { atime, mtime } = await stat(path);
  const order = await partOf(1);
  whileSent(async () => {
    await overwrite(partSize - 100);
    await utimes(path, atime, mtime);
  });
  await expect(storage.sendPart(order)).rejects.toMatchObject({ code: 'source-changed' });
  expect(await whatCame()).toEqual([]);
});

it('a streamed part never reaches storage if its file is truncated meanwhile', async () => {
  await start('verify');
  whileSent(() => truncate(path, partSize - 100));
  await expect(storage.sendPart(await partOf(1))).rejects.toMatchObject({ code: 'source-changed' });
  expect(await whatCame()).toEqual([]);
});

it('a streamed part reports a file changed with the same size and time', async () => {
  await start('verify');
  const exact = await stat(path, { bigint: true });
  const identity = identityOf(await stat(path), () => exact);
  const { atime, mtime } = await stat(path);
  whileSent(() => utimes(path, atime, mtime));
  await expect(storage.sendPart(await partOf(1, identity))).rejects.toMatchObject({ name: 'SourceReplaced' });
  expect(await whatCame()).toEqual([]);
});

it('a streamed part skips a part that storage already has', async () => {
  await start('verify');
  const order = await partOf(1);
  expect(await storage.sendPart({ ...order, adoptable: { md5: md5(partBytes(1)) } })).toMatchObject({
    size: partSize,
  });
  expect(heads).toEqual([]);
});

it('a streamed part closes its file when dropped', async () => {
  await start('verify');
  const stop = new AbortController();
  whileSent(() => stop.abort(new Error('enough')));
  await expect(storage.sendPart(await partOf(1), { signal: stop.signal })).rejects.toThrow('enough');
  await expect.poll(openHere).not.toContain(path);
  expect(await storage.sendPart(await partOf(2))).toMatchObject({ crc32: crc32(partBytes(2)) });
});

it('reads the file for each pass separately, including abandoned ones', async () => {
  const part = new StreamedPart(1, await partOf(1), {
    reads: new ThreadReads(createPoolReads(), createThreadReads()),
    stallMs: 30_000,
    takeBuffer: () => Buffer.alloc(64 * 1024),
    giveBuffer: () => {},
  });
  await part.sums({ md5: false, crc32: true });
  const [oldPass, young] = [part.beginPass(), part.beginPass()];
  void oldPass.read(100);
  for (let at = 0; at < part.length; ) {
    const [piece] = await Promise.all([young.read(64 * 1024), oldPass.read(1_000)]);
    expect(piece.equals(bytes.subarray(at, at + piece.length))).toBe(true);
    at += piece.length;
  }
  part.close();
});
