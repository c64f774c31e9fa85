import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedService } from '../model.ts';
import { startEmbeddedService } from '../start-service.ts';
import { bearer, type Created, call, createAsset, postJson, s3For } from './contract-client.ts';

let service: EmbeddedService;
let token: Record<string, string>;
beforeAll(async () => {
  service = await startEmbeddedService({ tilingMs: 40 });
  token = bearer(service.control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']));
});
afterAll(() => service.stop());

const v1 = (path: string, init: RequestInit = {}) =>
  call(`${service.baseUrl}/v1${path}`, { headers: token, ...init });
const create = (body: unknown) => postJson(`${service.baseUrl}/v1/assets`, body, token);
const validBody = { name: 'Old town', type: '3DTILES', options: { sourceType: 'CITYGML' } };
const putObject = (created: Created, name: string, text: string) =>
  s3For(service, created.uploadLocation).send(
    new PutObjectCommand({
      Bucket: created.uploadLocation.bucket,
      Key: created.uploadLocation.prefix + name,
      Body: text,
    }),
  );
const complete = ({ onComplete }: Created, fields: unknown = onComplete.fields) =>
  postJson(onComplete.url, fields, token);

describe('contract 5.1, 7: the bearer token', () => {
  it('the bearer token: accepts the scheme in any case (RFC 9110 11.1)', async () => {
    const headers = { authorization: token.authorization?.replace('Bearer', 'bearer') ?? '' };
    expect((await v1('/assets', { headers })).status).toBe(200);
  });
});

describe('contract 5.3: scopes', () => {
  const calls: readonly (readonly [
    string,
    (headers: Record<string, string>) => Promise<{ status: number }>,
  ])[] = [
    ['assets:list', (headers) => v1('/assets', { headers })],
    ['assets:read', (headers) => v1('/assets/1', { headers })],
    ['assets:write', (headers) => postJson(`${service.baseUrl}/v1/assets`, {}, headers)],
    ['assets:write', (headers) => postJson(`${service.baseUrl}/v1/assets/1/uploadComplete`, {}, headers)],
  ];
  it.each(calls)('scopes: requires %s and no other scope', async (scope, request) => {
    const otherScopes = ['assets:list', 'assets:read', 'assets:write', 'geocode'].filter(
      (name) => name !== scope,
    );
    const refusedAnswer = await request(bearer(service.control.makeAccessToken(otherScopes)));
    expect(refusedAnswer).toMatchObject({ status: 403, body: { code: 'InsufficientScope' } });
    const allowedAnswer = await request(bearer(service.control.makeAccessToken([scope])));
    expect([200, 400, 404]).toContain(allowedAnswer.status);
  });
});

describe('contract 4.6: creating an asset', () => {
  it('creating an asset: returns the record, the upload location and the completion request', async () => {
    const { status, body } = await create({ ...validBody, description: '# Markdown' });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['assetMetadata', 'uploadLocation', 'onComplete']);
    const { id } = body.assetMetadata as { id: number };
    expect(Number.isInteger(id)).toBe(true);
    expect(body.assetMetadata).toEqual({
      id,
      type: '3DTILES',
      name: 'Old town',
      description: '# Markdown',
      attribution: '',
      bytes: 0,
      dateAdded: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      status: 'AWAITING_FILES',
      percentComplete: 0,
    });
    expect(body.uploadLocation).toEqual({
      bucket: expect.any(String),
      prefix: `sources/${id}/`,
      accessKey: expect.any(String),
      secretAccessKey: expect.any(String),
      sessionToken: expect.any(String),
      endpoint: service.storageUrl,
    });
    expect(body.onComplete).toEqual({
      method: 'POST',
      url: `${service.baseUrl}/v1/assets/${id}/uploadComplete`,
      fields: {},
    });
  });

  it('creating an asset: omits the endpoint if configured (2.3)', async () => {
    const otherService = await startEmbeddedService({ omitEndpoint: true });
    const { uploadLocation } = await createAsset(otherService);
    await otherService.stop();
    expect(uploadLocation).not.toHaveProperty('endpoint');
  });

  it('creating an asset: issues separate credentials for each asset', async () => {
    const [firstAsset, secondAsset] = [await createAsset(service), await createAsset(service)];
    expect(firstAsset.uploadLocation.accessKey).not.toBe(secondAsset.uploadLocation.accessKey);
    expect(firstAsset.uploadLocation.prefix).not.toBe(secondAsset.uploadLocation.prefix);
  });

  it.each(['3DTILES', 'IMAGERY', 'TERRAIN'])(
    'creating an asset: accepts the type %s with any sourceType',
    async (type) => {
      const options = { sourceType: 'SOMETHING_ELSE', inputCrs: 'EPSG:25833', position: [13, 52, 0] };
      const { body } = await create({ name: 'x', type, options });
      expect(body.assetMetadata).toMatchObject({ type });
      const { id } = body.assetMetadata as { readonly id: number };
      expect(service.control.optionsOf(id)).toEqual(options);
    },
  );

  it('creating an asset: clamps to the account’s terrain assets only', async () => {
    const terrain = service.control.seedAsset({ name: 'Ground', type: 'TERRAIN' });
    const imagery = service.control.seedAsset({ name: 'Photo', type: 'IMAGERY' });
    const clamped = (baseTerrainId: number) =>
      create({ ...validBody, options: { sourceType: 'CITYGML', clampToTerrain: true, baseTerrainId } });
    expect((await clamped(terrain)).status).toBe(200);
    expect((await clamped(imagery)).status).toBe(400);
  });

  it('creating an asset: refuses bodies that aren’t JSON or aren’t labelled so', async () => {
    const send = (body: string, type = 'application/json') =>
      v1('/assets', { method: 'POST', body, headers: { ...token, 'content-type': type } });
    expect(await send('{"name":')).toMatchObject({ status: 400, body: { code: 'InvalidJson' } });
    expect(await send('{}', 'text/plain')).toMatchObject({ status: 415 });
  });
});

describe('contract 4.5, 4.9: reading assets', () => {
  it('reading assets: lists all assets of the account as items', async () => {
    const id = service.control.seedAsset({ name: 'Seeded', type: 'TERRAIN', status: 'COMPLETE' });
    const { status, body } = await v1('/assets');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['items']);
    const items = body.items as readonly { id: number }[];
    expect(items.find((item) => item.id === id)).toMatchObject({ name: 'Seeded', percentComplete: 100 });
    expect(items).toHaveLength(service.control.assets().length);
  });

  it('reading assets: returns one record, equal to the listed one', async () => {
    const id = service.control.seedAsset({ name: 'Seeded', type: 'IMAGERY' });
    const { status, body } = await v1(`/assets/${id}`);
    expect(status).toBe(200);
    expect(service.control.assets()).toContainEqual(body);
  });

  it.each(['1', '0', '-1', '1e3', 'abc', '%2e%2e', '99999999999999999999'])(
    'reading assets: answers 404 for the id %s',
    async (id) => {
      expect(await v1(`/assets/${id}`)).toMatchObject({ status: 404, body: { code: 'ResourceNotFound' } });
    },
  );

  it('reading assets: answers 404 for unknown paths and 405 with Allow for wrong methods', async () => {
    expect((await v1('/assets//')).status).toBe(404);
    expect((await v1('/elsewhere')).status).toBe(404);
    const wrongAnswer = await v1('/assets', { method: 'DELETE' });
    expect(wrongAnswer).toMatchObject({ status: 405, body: { code: 'MethodNotAllowed' } });
    expect(wrongAnswer.headers.get('allow')).toBe('GET, POST');
    expect((await v1('/assets/1/uploadComplete')).status).toBe(405);
  });
});

it('requests of public clients beyond the contract: accepts a slash at the end of a path', async () => {
  expect((await v1('/assets/')).status).toBe(200);
});

it.each([undefined, ''])(
  'requests of public clients beyond the contract: completes without a body if fields is {}: %j',
  async (body) => {
    const created = await createAsset(service);
    await putObject(created, 'a.gml', 'bytes');
    const token = service.control.makeAccessToken(['assets:write']);
    const init = { method: 'POST', headers: bearer(token), ...(body === undefined ? {} : { body }) };
    expect((await call(created.onComplete.url, init)).status).toBe(204);
  },
);

describe('contract 3.2, 4.8: completing the upload', () => {
  it('completing the upload: starts tiling and counts the stored bytes', async () => {
    const created = await createAsset(service);
    await putObject(created, 'a.gml', 'twelve bytes');
    await putObject(created, 'b/c.gml', 'more');
    const answer = await complete(created);
    expect(answer.status).toBe(204);
    const { body } = await v1(`/assets/${created.assetMetadata.id}`);
    expect(body.bytes).toBe(16);
    expect(['NOT_STARTED', 'IN_PROGRESS', 'COMPLETE']).toContain(body.status);
  });

  it('completing the upload: refuses a body that doesn’t equal the fields of onComplete', async () => {
    const created = await createAsset(service);
    await putObject(created, 'a.gml', 'x');
    for (const fields of [{ extra: 1 }, [], null, 'x'])
      expect((await complete(created, fields)).status).toBe(400);
    expect((await complete(created)).status).toBe(204);
  });
});
