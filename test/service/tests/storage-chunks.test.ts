import { createHash, createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedService, ServiceSettings } from '../model.ts';
import { startEmbeddedService } from '../start-service.ts';
import { type Created, createAsset, s3Error, s3For } from './contract-client.ts';
import { type SignChange, signedHeaders } from './signed-request.ts';

interface Store {
  readonly service: EmbeddedService;
  readonly location: Created['uploadLocation'];
}

let aws: Store;
let ceph: Store;
const open = async (streaming: ServiceSettings['streaming']): Promise<Store> => {
  const service = await startEmbeddedService({ streaming });
  return { service, location: (await createAsset(service)).uploadLocation };
};
beforeAll(async () => {
  [aws, ceph] = await Promise.all([open('aws'), open('ceph')]);
});
afterAll(() => Promise.all([aws.service.stop(), ceph.service.stop()]));

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const unsigned = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
const signed = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD';
const crc32OfData = 'rfPzYw==';

/** Sends a raw chunked body. `body` receives the signed head, whose signature seeds the first chunk's. */
async function send(
  { service, location }: Store,
  change: SignChange,
  body: (headers: Record<string, string>) => string,
) {
  const path = `/${location.bucket}/${location.prefix}chunks`;
  const { path: _, ...headers } = signedHeaders({ origin: service.storageUrl, path, location }, change);
  const response = await fetch(service.storageUrl + path, { method: 'PUT', headers, body: body(headers) });
  return { status: response.status, code: /<Code>(\w+)</.exec(await response.text())?.[1] };
}

const storedBytes = async ({ service, location }: Store) =>
  (await service.control.objects(`${location.prefix}chunks`))[0]?.sha256;

/** Signs the two chunks of a body, starting from the head's signature. */
function signedChunks(
  { location }: Store,
  headers: Record<string, string>,
  pieces: readonly string[],
): string {
  const time = headers['x-amz-date'] ?? '';
  const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${location.secretAccessKey}`);
  let signature = /Signature=(\w+)/.exec(headers.authorization ?? '')?.[1] ?? '';
  return pieces
    .map((piece) => {
      const text = ['AWS4-HMAC-SHA256-PAYLOAD', time, scope, signature, sha256(''), sha256(piece)];
      signature = hmac(key, text.join('\n')).toString('hex');
      const size = piece.length.toString(16);
      return `${size};chunk-signature=${signature}\r\n${piece}\r\n`;
    })
    .join('');
}

describe('chunked bodies of AWS', () => {
  it('storage accepts the stream that the SDK sends by default', async () => {
    const { service, location } = aws;
    const client = new S3Client({
      endpoint: service.storageUrl,
      region: 'us-east-1',
      credentials: { ...location, accessKeyId: location.accessKey },
    });
    const bytes = Buffer.alloc(300_000, 'tile');
    const Body = Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)]);
    const Key = `${location.prefix}streamed`;
    await client.send(
      new PutObjectCommand({ Bucket: location.bucket, Key, Body, ContentLength: bytes.length }),
    );
    const [object] = await service.control.objects(Key);
    expect(object).toMatchObject({ size: bytes.length, sha256: sha256(bytes) });
  });

  it('chunked bodies of AWS: checks chunks against their trailing checksum', async () => {
    const headers = {
      'content-encoding': 'aws-chunked',
      'x-amz-decoded-content-length': '4',
      'x-amz-trailer': 'x-amz-checksum-crc32',
    };
    const body = (checksum: string) => () => `4\r\ndata\r\n0\r\nx-amz-checksum-crc32:${checksum}\r\n\r\n`;
    expect(await send(aws, { sha256: unsigned, headers }, body(crc32OfData))).toMatchObject({ status: 200 });
    expect(await storedBytes(aws)).toBe(sha256('data'));
    expect(await send(aws, { sha256: unsigned, headers }, body('AAAAAA=='))).toEqual({
      status: 400,
      code: 'BadDigest',
    });
  });

  it('chunked bodies of AWS: checks the signature of each chunk', async () => {
    const headers = { 'content-encoding': 'aws-chunked', 'x-amz-decoded-content-length': '7' };
    const change = { sha256: signed, headers };
    const validBody = (head: Record<string, string>) => signedChunks(aws, head, ['first', '!!', '']);
    expect(await send(aws, change, validBody)).toMatchObject({ status: 200 });
    expect(await storedBytes(aws)).toBe(sha256('first!!'));
    const forged = (head: Record<string, string>) => validBody(head).replace('first', 'worst');
    expect(await send(aws, change, forged)).toEqual({ status: 403, code: 'SignatureDoesNotMatch' });
    const withoutSignature = (head: Record<string, string>) =>
      validBody(head).replaceAll(/;chunk-signature=\w+/g, '');
    expect(await send(aws, change, withoutSignature)).toEqual({ status: 400, code: 'InvalidRequest' });
    expect(await storedBytes(aws)).toBe(sha256('first!!'));
  });

  it.each([
    ['if they end before the last chunk', '4\r\ndata\r\n'],
    ['if they are shorter than promised', '3\r\ndat\r\n0\r\n\r\n'],
  ])('storage refuses chunks %s', async (_, text) => {
    const headers = { 'content-encoding': 'aws-chunked', 'x-amz-decoded-content-length': '4' };
    expect(await send(aws, { sha256: unsigned, headers }, () => text)).toEqual({
      status: 400,
      code: 'IncompleteBody',
    });
  });

  it.each([
    'no hex\r\ndata\r\n',
    `ffffffff\r\ndata`,
    '4\r\ndataXX0\r\n\r\n',
    '4\r\ndata\r\n0\r\nodd: 1\r\n\r\n',
  ])('storage refuses chunks with %j', async (text) => {
    const headers = { 'content-encoding': 'aws-chunked', 'x-amz-decoded-content-length': '4' };
    expect(await send(aws, { sha256: unsigned, headers }, () => text)).toEqual({
      status: 400,
      code: 'InvalidRequest',
    });
  });
});

describe('chunked bodies at Ceph', () => {
  it.each([
    ['signed chunks', { sha256: signed }],
    ['trailing checksums', { sha256: unsigned }],
    ['aws-chunked', { headers: { 'content-encoding': 'aws-chunked' } }],
  ])('storage like Ceph refuses chunked bodies: %s', async (_, change) => {
    const answer = await send(ceph, change, () => 'data');
    expect(answer).toEqual({ status: 400, code: 'XAmzContentSHA256Mismatch' });
  });

  it('chunked bodies at Ceph: refuses the chunked stream that the SDK sends by default', async () => {
    const { service, location } = ceph;
    const client = s3For(service, location, {});
    client.config.requestChecksumCalculation = async () => 'WHEN_SUPPORTED';
    const Body = Readable.from([Buffer.from('data')]);
    const attempt = client.send(
      new PutObjectCommand({
        Bucket: location.bucket,
        Key: `${location.prefix}default`,
        Body,
        ContentLength: 4,
      }),
    );
    expect(['MissingContentLength', 'XAmzContentSHA256Mismatch']).toContain((await s3Error(attempt)).code);
  });
});
