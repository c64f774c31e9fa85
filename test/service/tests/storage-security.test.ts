import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EmbeddedService } from '../model.ts';
import { startEmbeddedService } from '../start-service.ts';
import { CredentialBook } from '../storage/credentials.ts';
import { type Created, createAsset, s3Error, s3For } from './contract-client.ts';
import { type SignChange, signedHeaders } from './signed-request.ts';

let service: EmbeddedService;
let created: Created;
beforeEach(async () => {
  service = await startEmbeddedService();
  created = await createAsset(service);
});
afterEach(() => service.stop());

const putObject = (
  place: { Bucket?: string; Key?: string } = {},
  change: Parameters<typeof s3For>[2] = {},
) => {
  const { bucket, prefix } = created.uploadLocation;
  const client = s3For(service, created.uploadLocation, change);
  return client.send(new PutObjectCommand({ Bucket: bucket, Key: `${prefix}file`, Body: 'data', ...place }));
};

/** Sends a PUT signed by hand. */
async function putRaw(change: SignChange, changes: { readonly query?: string } = {}) {
  const { bucket, prefix } = created.uploadLocation;
  const path = `/${bucket}/${prefix}raw`;
  const target = { origin: service.storageUrl, path, location: created.uploadLocation };
  const { path: _path, host: _host, ...headers } = signedHeaders(target, change);
  const address = `${service.storageUrl}${path}${changes.query ?? ''}`;
  const response = await fetch(address, { method: 'PUT', headers, body: 'data' });
  const text = await response.text();
  return { status: response.status, code: /<Code>(\w+)</.exec(text)?.[1], text, headers: response.headers };
}

const minutes = (count: number) => new Date(Date.now() + count * 60_000);

describe('contract 2.3, 4.7: the credentials', () => {
  it('the credentials: accepts them as issued', async () => {
    await expect(putObject()).resolves.toBeDefined();
    expect((await putRaw({})).status).toBe(200);
  });

  it('the credentials: refuses a wrong secret: SignatureDoesNotMatch', async () => {
    const error = await s3Error(putObject({}, { secretAccessKey: 'wrong' }));
    expect(error).toEqual({ code: 'SignatureDoesNotMatch', status: 403 });
  });

  it('the credentials: refuses another session token or none: InvalidToken', async () => {
    const error = await s3Error(putObject({}, { sessionToken: 'wrong' }));
    expect(error).toEqual({ code: 'InvalidToken', status: 400 });
    expect(await putRaw({ without: 'x-amz-security-token' })).toMatchObject({
      status: 400,
      code: 'InvalidToken',
    });
  });

  it('the credentials: refuses an unknown key: InvalidAccessKeyId', async () => {
    created = { ...created, uploadLocation: { ...created.uploadLocation, accessKey: 'TEMPUNKNOWN' } };
    expect(await s3Error(putObject())).toEqual({ code: 'InvalidAccessKeyId', status: 403 });
  });

  it('the credentials expire on request for one asset or all: ExpiredToken', async () => {
    const otherAsset = await createAsset(service);
    service.control.expireUploadCredentials(otherAsset.assetMetadata.id);
    await expect(putObject()).resolves.toBeDefined();
    service.control.expireUploadCredentials(created.assetMetadata.id);
    expect(await s3Error(putObject())).toEqual({ code: 'ExpiredToken', status: 400 });
    created = await createAsset(service);
    await expect(putObject()).resolves.toBeDefined();
    service.control.expireUploadCredentials();
    expect(await s3Error(putObject())).toEqual({ code: 'ExpiredToken', status: 400 });
  });

  it('the credentials expire to the millisecond', () => {
    let now = 0;
    const book = new CredentialBook(3600, () => now);
    const { accessKey } = book.give(1, 'sources/1/');
    const credentials = book.findCredentials(accessKey);
    if (!credentials) throw new Error('The credentials are not there.');
    now = 3_599_999;
    expect(book.isExpired(credentials)).toBe(false);
    now = 3_600_000;
    expect(book.isExpired(credentials)).toBe(true);
  });
});

describe('contract 2.3: the prefix', () => {
  it.each([
    ['the asset beside it', (id: number) => `sources/${id + 1}/file`],
    ['an asset whose id begins alike', (id: number) => `sources/${id}1/file`],
    ['the prefix itself', (id: number) => `sources/${id}/`],
    ['a key outside', () => 'file'],
  ])('the prefix: denies access to %s: AccessDenied', async (_, key) => {
    const Key = key(created.assetMetadata.id);
    expect(await s3Error(putObject({ Key }))).toEqual({ code: 'AccessDenied', status: 403 });
    expect(await service.control.objects()).toEqual([]);
  });

  it('the prefix: denies access to another bucket and to listing', async () => {
    expect((await s3Error(putObject({ Bucket: 'other-bucket' }))).code).toBe('AccessDenied');
    const { bucket: Bucket, prefix: Prefix } = created.uploadLocation;
    const client = s3For(service, created.uploadLocation);
    const listing = client.send(new ListObjectsV2Command({ Bucket, Prefix }));
    expect((await s3Error(listing)).code).toBe('AccessDenied');
  });
});

describe('contract 4.7: Signature Version 4', () => {
  it('Signature Version 4: requires the region us-east-1 and the service s3', async () => {
    const error = await s3Error(putObject({}, { region: 'eu-central-1' }));
    expect(error).toEqual({ code: 'AuthorizationHeaderMalformed', status: 400 });
    expect((await putRaw({ serviceName: 'sts' })).code).toBe('AuthorizationHeaderMalformed');
  });

  it('Signature Version 4: accepts a clock 14 minutes off and refuses one 16 minutes off: RequestTimeTooSkewed', async () => {
    for (const offsetMinutes of [14, -14])
      expect((await putRaw({ at: minutes(offsetMinutes) })).status).toBe(200);
    for (const offsetMinutes of [16, -16]) {
      const answer = await putRaw({ at: minutes(offsetMinutes) });
      expect(answer).toMatchObject({ status: 403, code: 'RequestTimeTooSkewed' });
      expect(answer.text).toContain('<ServerTime>');
    }
  });

  it('Signature Version 4: checks the time with storage’s own clock, which its Date header shows', async () => {
    service.control.skewClock(20 * 60_000);
    const answer = await putRaw({});
    expect(answer.code).toBe('RequestTimeTooSkewed');
    const aheadMs = Date.parse(answer.headers.get('date') ?? '') - Date.now();
    expect(Math.abs(aheadMs - 20 * 60_000)).toBeLessThan(5000);
    expect((await putRaw({ at: minutes(20) })).status).toBe(200);
  });

  it('Signature Version 4 must cover the host and every x-amz- header', async () => {
    expect((await putRaw({ without: 'host' })).code).toBe('AccessDenied');
    expect((await putRaw({ unsigned: { 'x-amz-meta-more': '1' } })).code).toBe('AccessDenied');
  });

  it('Signature Version 4 must cover the query', async () => {
    expect((await putRaw({}, { query: '?x-id=PutObject' })).code).toBe('SignatureDoesNotMatch');
  });

  it('Signature Version 4 requires x-amz-date and x-amz-content-sha256', async () => {
    expect((await putRaw({ without: 'x-amz-date' })).code).toBe('AccessDenied');
    expect((await putRaw({ without: 'x-amz-content-sha256' })).code).toBe('InvalidRequest');
    expect((await putRaw({ sha256: 'nonsense' })).code).toBe('InvalidArgument');
  });

  it('Signature Version 4: requires a signature and refuses it in the query', async () => {
    const { bucket, prefix } = created.uploadLocation;
    for (const query of ['', '?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=00']) {
      const address = `${service.storageUrl}/${bucket}/${prefix}x${query}`;
      const response = await fetch(address, { method: 'PUT', body: 'data' });
      expect(response.status).toBe(403);
      expect(await response.text()).toContain('<Code>AccessDenied</Code>');
    }
  });

  it('Signature Version 4: returns errors in S3’s format with the header’s request ID', async () => {
    const { text, headers } = await putRaw({ without: 'host' });
    expect(headers.get('content-type')).toBe('application/xml');
    expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\s*<Error><Code>\w+<\/Code><Message>/);
    expect(text).toContain(`<RequestId>${headers.get('x-amz-request-id')}</RequestId>`);
  });
});
