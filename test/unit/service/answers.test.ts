import { describe, expect, it } from 'vitest';
import { assetAnswer, createAnswer, listAnswer } from '../../../main/service/answers.ts';

const asset = {
  id: 7,
  type: '3DTILES',
  name: 'Berlin',
  description: 'words',
  attribution: '',
  bytes: 0,
  dateAdded: '2025-01-01T00:00:00.000Z',
  status: 'AWAITING_FILES',
  percentComplete: 0,
};
const uploadLocation = {
  bucket: 'b',
  prefix: 'sources/7/',
  accessKey: 'a',
  secretAccessKey: 's',
  sessionToken: 't',
};
const onComplete = { method: 'POST', url: 'https://api.example.com/v1/assets/7/uploadComplete', fields: {} };

describe('an asset record', () => {
  it('is taken as it is, with fields that the contract does not name', () => {
    const more = { ...asset, labels: ['x'], userId: 3 };
    expect(assetAnswer.parse(more)).toEqual(more);
  });

  it('may lack what a service leaves out', () => {
    const { id, type, name, status } = asset;
    expect(assetAnswer.parse({ id, type, name, status, description: null })).toEqual({
      ...asset,
      description: '',
      dateAdded: '',
    });
  });

  it('keeps a status that the contract does not name', () => {
    expect(assetAnswer.parse({ ...asset, status: 'REPROJECTING' }).status).toBe('REPROJECTING');
  });

  it('tells error and progressMessage where they are texts', () => {
    const told = assetAnswer.parse({ ...asset, error: 'no CRS', progressMessage: null });
    expect(told).toEqual({ ...asset, error: 'no CRS' });
    expect(assetAnswer.parse({ ...asset, error: {}, progressMessage: '' })).toEqual(asset);
  });

  it.each([
    ['an id that is a text', { id: '7' }],
    ['bytes that are a text', { bytes: '12' }],
    ['no status', { status: undefined }],
    ['no name', { name: undefined }],
  ])('is refused with %s', (_, change) => {
    expect(assetAnswer.safeParse({ ...asset, ...change }).success).toBe(false);
  });

  it('keeps its progress within 0 and 100', () => {
    expect(assetAnswer.parse({ ...asset, percentComplete: 130 }).percentComplete).toBe(100);
    expect(assetAnswer.parse({ ...asset, percentComplete: -1 }).percentComplete).toBe(0);
  });
});

describe('the answer to creation', () => {
  const created = { asset, uploadLocation, onComplete };

  it('holds the record under assetMetadata', () => {
    const decoy = { id: 1, status: 'x' };
    expect(createAnswer.parse({ decoy, assetMetadata: asset, uploadLocation, onComplete })).toEqual(created);
  });

  it('holds the record under a name that nobody knows, found by its shape', () => {
    expect(createAnswer.parse({ uploadLocation, onComplete, 'the service': asset })).toEqual(created);
  });

  it('may lack the endpoint, or give null or an empty text', () => {
    for (const endpoint of [undefined, null, '']) {
      const answer = { assetMetadata: asset, uploadLocation: { ...uploadLocation, endpoint }, onComplete };
      expect(createAnswer.parse(answer).uploadLocation).toEqual(uploadLocation);
    }
  });

  it('gives the endpoint and the fields of the completion unchanged', () => {
    const endpoint = 'https://s3.example.com:9000';
    const fields = { a: [1, { b: null }] };
    const answer = {
      assetMetadata: asset,
      uploadLocation: { ...uploadLocation, endpoint },
      onComplete: { ...onComplete, fields },
    };
    const parsed = createAnswer.parse(answer);
    expect(parsed.uploadLocation.endpoint).toBe(endpoint);
    expect(parsed.onComplete.fields).toEqual(fields);
  });

  it.each([
    ['no record', { uploadLocation, onComplete }],
    [
      'no credentials',
      { assetMetadata: asset, uploadLocation: { ...uploadLocation, sessionToken: '' }, onComplete },
    ],
    [
      'an endpoint that is no address',
      { assetMetadata: asset, uploadLocation: { ...uploadLocation, endpoint: 'x' }, onComplete },
    ],
    [
      'a completion that deletes',
      { assetMetadata: asset, uploadLocation, onComplete: { ...onComplete, method: 'DELETE' } },
    ],
    [
      'a completion at a file',
      { assetMetadata: asset, uploadLocation, onComplete: { ...onComplete, url: 'file:///x' } },
    ],
    ['a list', [asset]],
  ])('is refused with %s', (_, answer) => {
    expect(createAnswer.safeParse(answer).success).toBe(false);
  });
});

it('reads a list of records', () => {
  expect(listAnswer.parse({ items: [asset], total: 1 })).toEqual([asset]);
  expect(listAnswer.safeParse([asset]).success).toBe(false);
});
