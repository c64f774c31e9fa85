import { describe, expect, it } from 'vitest';
import { readCreated, usableInstruction } from '../../../main/service/created-asset.ts';

const askedAt = 'https://api.example.com/v1/assets';
const asset = { id: 7, type: '3DTILES', name: 'Berlin', status: 'AWAITING_FILES' };
const uploadLocation = {
  bucket: 'b',
  prefix: 'sources/7/',
  accessKey: 'access-0815',
  secretAccessKey: 'secret-0816',
  sessionToken: 'session-0817',
};
const onComplete = { method: 'POST', url: `${askedAt}/7/uploadComplete`, fields: {} };
const answer = { assetMetadata: asset, uploadLocation, onComplete };

const read = (value: unknown, at = askedAt) => readCreated(JSON.stringify(value), at);
function created(value: unknown, at = askedAt) {
  const createdReading = read(value, at);
  if (createdReading.kind !== 'usable') throw new Error(`is ${JSON.stringify(createdReading)}`);
  return createdReading.created;
}
const withEndpoint = (endpoint: unknown) => ({ ...answer, uploadLocation: { ...uploadLocation, endpoint } });
const withCompletion = (change: object) => ({ ...answer, onComplete: { ...onComplete, ...change } });

describe('the upload prefix', () => {
  const withPrefix = (prefix: string) => read({ ...answer, uploadLocation: { ...uploadLocation, prefix } });

  it.each(['sources/7/', 'sources/7', 'a b/.hidden/7..8/', '...'])(
    'the upload prefix accepts %j',
    (prefix) => {
      expect(withPrefix(prefix).kind).toBe('usable');
    },
  );

  it.each(['', '/', '/sources/7/', 'sources//7/', 'sources/7//', '..', '../', 'create/../', 'a/./b/', './a'])(
    'S36: the upload prefix refuses %j, which leads elsewhere on some servers',
    (prefix) => {
      expect(withPrefix(prefix)).toMatchObject({
        kind: 'unusable',
        assetId: 7,
        why: 'uploadLocation.prefix',
      });
    },
  );
});

describe('readCreated()', () => {
  it('readCreated() reads the record from assetMetadata', () => {
    expect(created({ decoy: { id: 1, status: 'x' }, ...answer })).toMatchObject({ asset, uploadLocation });
  });

  it('readCreated() detects a record under an unknown name by its shape', () => {
    expect(created({ uploadLocation, onComplete, 'the service': asset }).asset.id).toBe(7);
  });

  it('readCreated() accepts a missing, null or empty endpoint', () => {
    for (const endpoint of [undefined, null, ''])
      expect(created(withEndpoint(endpoint)).uploadLocation).toEqual(uploadLocation);
  });

  it.each([
    ['https://s3.example.com:9000', 'https://s3.example.com:9000'],
    ['s3.example.com', 'https://s3.example.com'],
    ['s3.example.com:9000', 'https://s3.example.com:9000'],
    ['localhost:9000', 'http://localhost:9000'],
    ['127.0.0.1:9000', 'http://127.0.0.1:9000'],
    ['[::1]:9000', 'http://[::1]:9000'],
  ])('readCreated() reads the endpoint %s as %s', (endpoint, address) => {
    expect(created(withEndpoint(endpoint)).uploadLocation.endpoint).toBe(address);
  });

  it('readCreated() returns the completion fields unchanged', () => {
    const fields = { a: [1, { b: null }] };
    expect(created(withCompletion({ fields })).onComplete.fields).toEqual(fields);
    expect(created(withCompletion({ fields: undefined })).onComplete.fields).toEqual({});
  });

  it.each(['post', 'Put', ' patch '])('readCreated() accepts the method %j in any case', (method) => {
    expect(created(withCompletion({ method })).onComplete.method).toBe(method.trim().toUpperCase());
  });

  it.each([
    ['/v1/assets/7/uploadComplete', askedAt],
    ['assets/7/uploadComplete', askedAt],
    ['//api.example.com/v1/assets/7/uploadComplete', askedAt],
    ['HTTPS://API.example.com:443/v1/assets/7/uploadComplete', askedAt],
    ['http://localhost:81/v1/assets/7/uploadComplete', 'http://127.0.0.1:81/v1/assets'],
    ['http://127.0.0.1:81/v1/assets/7/uploadComplete', 'http://localhost:81/v1/assets'],
    ['http://[::1]:81/v1/assets/7/uploadComplete', 'http://localhost:81/v1/assets'],
  ])('readCreated() resolves the completion at %s to the requested origin', (url, at) => {
    expect(created(withCompletion({ url }), at).onComplete.url).toBe(`${at}/7/uploadComplete`);
  });

  const wrongPrefixes = [
    'https://evil.example/v1/assets/7/uploadComplete',
    'https://api.example.com.evil.example/x',
    'http://api.example.com/x',
    'https://api.example.com:444/x',
    'https://user@api.example.com/x',
    'http://localhost/x',
    'file:///x',
    'mailto:x@y',
    '',
    7,
  ];
  it.each(wrongPrefixes)('readCreated() names the asset and is unusable with the completion at %j', (url) => {
    const createdReading = read(withCompletion({ url }));
    expect(createdReading).toMatchObject({ kind: 'unusable', assetId: 7 });
    expect(createdReading).toMatchObject({ why: expect.stringContaining('onComplete.url') });
  });

  it.each([
    ['onComplete.method “DELETE”', withCompletion({ method: 'DELETE' })],
    ['uploadLocation.endpoint “ftp://x”', withEndpoint('ftp://x')],
    ['uploadLocation.endpoint', withEndpoint('https://user:pass@s3.example')],
    ['uploadLocation.endpoint', withEndpoint(7)],
    ['uploadLocation.sessionToken', { ...answer, uploadLocation: { ...uploadLocation, sessionToken: '' } }],
    ['uploadLocation', { assetMetadata: asset, onComplete }],
    ['onComplete', { assetMetadata: asset, uploadLocation }],
    ['assetMetadata.status', { ...answer, assetMetadata: { ...asset, status: undefined } }],
  ])('readCreated() is unusable and names the asset and %s', (why, value) => {
    const createdReading = read(value);
    expect(createdReading).toMatchObject({ kind: 'unusable', assetId: 7, why: expect.stringContaining(why) });
    for (const secret of ['access-0815', 'secret-0816', 'session-0817', 'user:pass'])
      expect(JSON.stringify(createdReading)).not.toContain(secret);
  });

  it.each([
    ['33 levels deep', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
    ['100,000 levels deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['70,000 characters long', `{"a":"${'x'.repeat(70_000)}"}`],
  ])('readCreated() is unusable with completion fields that are %s', (_, fields) => {
    const text = JSON.stringify(withCompletion({ fields: 'FIELDS' })).replace('"FIELDS"', fields);
    expect(readCreated(text, askedAt)).toEqual({ kind: 'unusable', assetId: 7, why: 'onComplete.fields' });
  });

  it('readCreated() accepts an id sent as text, and odd types in fields that no upload needs', () => {
    const oddFields = {
      ...asset,
      id: '7',
      bytes: '0',
      dateAdded: 1_700_000_000_000,
      attribution: { html: 'x' },
    };
    expect(created({ ...answer, assetMetadata: oddFields }).asset).toMatchObject({
      ...asset,
      bytes: 0,
      dateAdded: '',
    });
  });

  it.each([
    [{ uploadLocation, onComplete }],
    [{ ...answer, assetMetadata: { id: 'seven' } }],
    [[asset]],
    ['x'],
  ])('readCreated() is unread when no asset is named', (value) =>
    expect(read(value)).toEqual({ kind: 'unread' }),
  );

  it('readCreated() is unread when it isn’t JSON', () => {
    for (const text of ['', '<html>', '{"assetMetadata":'])
      expect(readCreated(text, askedAt)).toEqual({ kind: 'unread' });
  });
});

it('usableInstruction() accepts stored instructions in older spelling', () => {
  expect(usableInstruction({ ...onComplete, method: 'post' }, askedAt)).toEqual(onComplete);
  expect(usableInstruction({ ...onComplete, url: 'https://evil.example' }, askedAt)).toBeNull();
});
