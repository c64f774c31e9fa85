import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { EmbeddedService } from '../model.ts';
import { startEmbeddedService } from '../start-service.ts';
import { type Created, createAsset, s3Error, s3For } from './contract-client.ts';
import { signedHeaders } from './signed-request.ts';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts';

let service: EmbeddedService;
let folder: TemporaryFolder;
let created: Created;
let s3: S3Client;
let Bucket: string;
let prefix: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startEmbeddedService({ dataFolder: folder.path });
  created = await createAsset(service);
  ({ bucket: Bucket, prefix } = created.uploadLocation);
  s3 = s3For(service, created.uploadLocation);
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

const md5 = (bytes: string | Uint8Array) => createHash('md5').update(bytes);
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const putObject = (name: string, Body: string | Uint8Array, extraInput: object = {}) =>
  s3.send(new PutObjectCommand({ Bucket, Key: prefix + name, Body, ...extraInput }));

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('contract 4.7: objects', () => {
  it('objects keep their bytes, with their MD5 as ETag and their SHA-256 for the control interface', async () => {
    const bytes = Buffer.alloc(3_000_001, 'tile');
    const { ETag } = await putObject('a/b.tif', bytes);
    expect(ETag).toBe(`"${md5(bytes).digest('hex')}"`);
    const [object] = await service.control.objects(`${prefix}a/`);
    const etag = md5(bytes).digest('hex');
    expect(object).toEqual({ key: `${prefix}a/b.tif`, size: bytes.length, etag, sha256: sha256(bytes) });
    expect(await bytesOf(service.control.readObject(`${prefix}a/b.tif`))).toEqual(bytes);
  });

  it('storage accepts an unsigned stream of known length', async () => {
    const bytes = Buffer.alloc(200_000, 1);
    await putObject('stream', '', { Body: Readable.from([bytes]), ContentLength: bytes.length });
    expect((await service.control.objects(`${prefix}stream`))[0]?.sha256).toBe(sha256(bytes));
  });

  it('storage replaces an object and deletes its old bytes', async () => {
    await putObject('twice', 'first');
    const blobCount = (await readdir(join(folder.path, 'blobs'))).length;
    await putObject('twice', 'second');
    expect(await readdir(join(folder.path, 'blobs'))).toHaveLength(blobCount);
    expect((await service.control.objects(`${prefix}twice`))[0]?.size).toBe(6);
  });

  it('storage keeps any UTF-8 key exactly without using it as a path', async () => {
    const oddKey = fc
      .array(
        fc.oneof(fc.constantFrom('..', '/', '\\', ' ', '%2F', '+', '"', '🗺️', 'ä', 'a\u0308'), fc.string()),
        { minLength: 1, maxLength: 8 },
      )
      // XML 1.0, the format of S3's responses, can't represent these.
      .map((pieces) => `k${pieces.join('')}`);
    await fc.assert(
      fc.asyncProperty(oddKey, async (name) => {
        await putObject(name, name);
        const listedObjects = await service.control.objects(prefix + name);
        expect(listedObjects.map(({ key }) => key)).toContain(prefix + name);
      }),
      { numRuns: 60 },
    );
    expect(await readdir(folder.path)).toEqual(['blobs']);
  });
});

describe('contract 4.7: integrity', () => {
  const rightMd5 = md5('data').digest('base64');

  it('integrity: refuses a wrong MD5 with BadDigest and a malformed one with InvalidDigest, and stores nothing', async () => {
    const files = (await readdir(join(folder.path, 'blobs'))).length;
    const wrongMd5 = md5('other').digest('base64');
    expect(await s3Error(putObject('bad', 'data', { ContentMD5: wrongMd5 }))).toEqual({
      code: 'BadDigest',
      status: 400,
    });
    for (const malformed of ['nonsense', rightMd5.slice(0, -2), md5('data').digest('hex')]) {
      const error = await s3Error(putObject('bad', 'data', { ContentMD5: malformed }));
      expect(error).toEqual({ code: 'InvalidDigest', status: 400 });
    }
    expect(await service.control.objects(`${prefix}bad`)).toEqual([]);
    expect(await readdir(join(folder.path, 'blobs'))).toHaveLength(files);
  });

  it('integrity: refuses a body that differs from its signed SHA-256', async () => {
    const answer = await rawRequest({
      body: 'datA',
      headers: signedHeaders(target('sha'), { sha256: sha256('data') }),
    });
    expect(answer).toMatchObject({ status: 400, code: 'XAmzContentSHA256Mismatch' });
    expect(await service.control.objects(`${prefix}sha`)).toEqual([]);
  });

  it('storage requires Content-Length', async () => {
    const headers = signedHeaders(target('chunked'), {});
    const answer = await rawRequest({
      body: 'data',
      headers: { ...headers, 'transfer-encoding': 'chunked' },
    });
    expect(answer).toMatchObject({ status: 411, code: 'MissingContentLength' });
  });

  it('integrity: refuses more than 5 GiB before any of it is sent', async () => {
    const headers = { ...signedHeaders(target('huge'), {}), 'content-length': String(5 * 1024 ** 3 + 1) };
    const answer = await rawRequest({ headers: { ...headers, expect: '100-continue' } });
    expect(answer).toMatchObject({ status: 400, code: 'EntityTooLarge', continued: false });
  });

  it('integrity: sends 100 Continue only if the request may pass', async () => {
    const waitHeaders = { 'content-length': '4', expect: '100-continue' };
    const headers = { ...signedHeaders(target('waits'), {}), ...waitHeaders };
    expect(await rawRequest({ headers, body: 'data' })).toMatchObject({
      status: 200,
      continued: true,
      connection: 'keep-alive',
    });
    const unsigned = { ...headers, authorization: 'AWS4-HMAC-SHA256 nonsense' };
    expect(await rawRequest({ headers: unsigned, body: 'data' })).toMatchObject({
      status: 400,
      continued: false,
      connection: 'close',
    });
  });

  it('integrity: stores nothing of a truncated body', async () => {
    const files = (await readdir(join(folder.path, 'blobs'))).length;
    const headers = { ...signedHeaders(target('broken'), {}), 'content-length': '1000000' };
    const { origin, path } = target('broken');
    const sent = request(origin + path, { method: 'PUT', headers });
    const requestEnd = new Promise((resolve) => sent.once('close', resolve));
    sent.on('error', () => undefined);
    sent.write(Buffer.alloc(500_000));
    await expect.poll(() => readdir(join(folder.path, 'blobs'))).toHaveLength(files + 1);
    sent.destroy();
    await requestEnd;
    await expect.poll(() => readdir(join(folder.path, 'blobs'))).toHaveLength(files);
    expect(await service.control.objects(`${prefix}broken`)).toEqual([]);
  });
});

describe('contract 4.7: limits of upload credentials', () => {
  it('limits of upload credentials deny deletion and offer no copy', async () => {
    await putObject('kept', 'x');
    const Key = `${prefix}kept`;
    expect((await s3Error(s3.send(new DeleteObjectCommand({ Bucket, Key })))).code).toBe('AccessDenied');
    const headers = signedHeaders(target('copy'), { headers: { 'x-amz-copy-source': `${Bucket}/${Key}` } });
    expect(await rawRequest({ headers, body: '' })).toMatchObject({ status: 501, code: 'NotImplemented' });
  });

  it('limits of upload credentials refuse a key over 1024 bytes', async () => {
    expect((await s3Error(putObject('ä'.repeat(512), 'x'))).code).toBe('KeyTooLongError');
  });
});

it('discarding storage keeps sizes and hashes but no bytes', async () => {
  const { path: dataFolder, remove } = await temporaryFolder();
  onTestFinished(remove);
  const otherService = await startEmbeddedService({ keepObjects: 'discard', dataFolder });
  onTestFinished(() => otherService.stop());
  const { uploadLocation } = await createAsset(otherService);
  const client = s3For(otherService, uploadLocation);
  const Key = `${uploadLocation.prefix}x`;
  const place = { Bucket: uploadLocation.bucket, Key };
  await client.send(new PutObjectCommand({ ...place, Body: 'data' }));
  const etag = md5('data').digest('hex');
  expect(await otherService.control.objects()).toEqual([{ key: Key, size: 4, etag, sha256: sha256('data') }]);
  expect(await readdir(join(dataFolder, 'blobs'))).toEqual([]);
  expect((await s3Error(client.send(new GetObjectCommand(place)))).code).toBe('NotImplemented');
});

/** A PUT of this name, for signing by hand. */
function target(name: string) {
  return {
    service,
    location: created.uploadLocation,
    origin: service.storageUrl,
    path: `/${Bucket}/${prefix}${name}`,
  };
}

interface RawAnswer {
  readonly status: number;
  readonly code: string | undefined;
  /** True if the service asked for the body. */
  readonly continued: boolean;
  readonly connection: string | undefined;
}

/** Sends a raw PUT; a body waits for "100 Continue" if the headers promise that. */
function rawRequest(options: {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}): Promise<RawAnswer> {
  const { path = '', ...headers } = options.headers;
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: true });
    const sent = request(service.storageUrl + path, { method: 'PUT', headers, agent });
    let continued = false;
    sent.once('continue', () => {
      continued = true;
      sent.end(options.body);
    });
    sent.once('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.once('end', () => {
        sent.destroy();
        agent.destroy();
        const code = /<Code>(\w+)</.exec(text)?.[1];
        resolve({
          status: response.statusCode ?? 0,
          code,
          continued,
          connection: response.headers.connection,
        });
      });
    });
    sent.once('error', reject);
    if (headers.expect === undefined) sent.end(options.body);
    else sent.flushHeaders();
  });
}
