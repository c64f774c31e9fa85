import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { controlCalls } from '../control/control-calls.ts';
import type { EmbeddedService } from '../model.ts';
import { startEmbeddedService } from '../start-service.ts';
import { bearer, call, createAsset, postJson, s3For } from './contract-client.ts';

let service: EmbeddedService;
beforeAll(async () => {
  service = await startEmbeddedService({ tilingMs: 0 });
});
afterAll(() => service.stop());

const callOver = (name: string, argument: unknown = null) =>
  postJson(`${service.controlUrl}/${name}`, argument);
const list = (token: unknown) => call(`${service.baseUrl}/v1/assets`, { headers: bearer(token) });

it('the control interface over HTTP offers every call of Control', () => {
  expect([...Object.keys(controlCalls), 'readObject'].sort()).toEqual(Object.keys(service.control).sort());
});

it('the control interface over HTTP issues and revokes tokens with scopes', async () => {
  const { body } = await callOver('makeAccessToken', ['assets:list']);
  expect((await list(body.value)).status).toBe(200);
  expect((await callOver('expireAccessTokens')).body).toEqual({ value: null });
  expect((await list(body.value)).status).toBe(401);
  expect((await callOver('makeAccessToken', ['everything'])).status).toBe(400);
});

it('the control interface over HTTP adds and clears faults', async () => {
  const fault = { match: { room: 'api', times: 5 }, action: { kind: 'status', status: 503 } };
  expect((await callOver('addFault', fault)).body.value).toMatch(/^fault-\d+$/);
  expect((await list('x')).status).toBe(503);
  await callOver('clearFaults');
  expect((await list('x')).status).toBe(401);
});

it('the control interface over HTTP seeds assets, steers tiling and lists assets', async () => {
  const seeded = await callOver('seedAsset', { name: 'Ground', type: 'TERRAIN' });
  await callOver('setTiling', { end: 'DATA_ERROR', error: 'No reference system.' });
  const created = await createAsset(service);
  const { bucket: Bucket, prefix } = created.uploadLocation;
  const putCommand = new PutObjectCommand({ Bucket, Key: `${prefix}ä.gml`, Body: 'data' });
  await s3For(service, created.uploadLocation).send(putCommand);
  const token = bearer((await callOver('makeAccessToken', ['assets:write'])).body.value);
  await postJson(created.onComplete.url, {}, token);
  const assets = (await callOver('assets')).body.value as readonly { id: number }[];
  expect(assets.find(({ id }) => id === seeded.body.value)).toMatchObject({ type: 'TERRAIN' });
  expect(assets.find(({ id }) => id === created.assetMetadata.id)).toMatchObject({
    status: 'DATA_ERROR',
    error: 'No reference system.',
    bytes: 4,
  });
  const objects = (await callOver('objects', prefix)).body.value;
  expect(objects).toMatchObject([{ key: `${prefix}ä.gml`, size: 4 }]);
  expect((await callOver('readObject', `${prefix}ä.gml`)).text).toBe('data');
  expect((await callOver('openUploads')).body.value).toEqual([]);
});

it('the control interface over HTTP lists the received requests with statuses', async () => {
  await list('marker');
  const requests = (await callOver('requests')).body.value as readonly object[];
  expect(requests.at(-1)).toEqual({
    room: 'api',
    method: 'GET',
    path: '/v1/assets',
    status: 401,
    at: expect.any(Number),
    bodyBytes: 0,
    fault: null,
    faultName: null,
  });
});

it('the control interface over HTTP counts received bytes, also of a truncated body', async () => {
  const created = await createAsset(service);
  const { bucket: Bucket, prefix } = created.uploadLocation;
  const s3 = s3For(service, created.uploadLocation);
  service.control.addFault({
    match: { room: 'storage', path: '/half' },
    action: { kind: 'cut-request', afterBytes: 100_000 },
  });
  const putObject = (name: string) =>
    s3.send(new PutObjectCommand({ Bucket, Key: prefix + name, Body: Buffer.alloc(8_000_000) }));
  await expect(putObject('half')).rejects.toThrow();
  await putObject('whole');
  const [half, wholeRequest] = service.control.requests().slice(-2);
  expect(half?.bodyBytes).toBeGreaterThanOrEqual(100_000);
  expect(half?.bodyBytes).toBeLessThan(8_000_000);
  expect(wholeRequest?.bodyBytes).toBe(8_000_000);
});

it('the control interface over HTTP closes storage and reopens it at the same address', async () => {
  await callOver('closeStorage');
  await expect(fetch(service.storageUrl)).rejects.toThrow();
  await callOver('openStorage');
  expect((await fetch(service.storageUrl)).status).toBe(403);
});

it('the control interface over HTTP deletes objects from storage', async () => {
  const created = await createAsset(service);
  const { bucket: Bucket, prefix } = created.uploadLocation;
  await s3For(service, created.uploadLocation).send(
    new PutObjectCommand({ Bucket, Key: `${prefix}a`, Body: 'data' }),
  );
  await callOver('removeObjects', prefix);
  expect(await service.control.objects(prefix)).toEqual([]);
});

it('the control interface over HTTP skews the clock of API and storage without expiring anything', async () => {
  const token = service.control.makeAccessToken(['assets:list']);
  await callOver('skewClock', 3_600_000);
  const answer = await list(token);
  await callOver('skewClock', 0);
  expect(answer.status).toBe(200);
  expect(Date.parse(answer.headers.get('date') ?? '') - Date.now()).toBeGreaterThan(3_590_000);
});

it.each([
  ['an unknown call', 'shutDown', null, 404],
  ['a fault without a kind', 'addFault', { match: { room: 'api' }, action: {} }, 400],
  [
    'a fault with a misspelt member',
    'addFault',
    { match: { room: 'api', time: 1 }, action: { kind: 'stall' } },
    400,
  ],
  ['a broken expression', 'addFault', { match: { room: 'api', path: '(' }, action: { kind: 'stall' } }, 400],
  ['an argument where none belongs', 'clearFaults', { all: true }, 400],
  ['an object that is not there', 'readObject', 'nothing', 400],
])('the control interface over HTTP refuses %s', async (_, name, argument, status) => {
  expect(await callOver(name, argument)).toMatchObject({ status, body: { message: expect.any(String) } });
});

it('the control interface over HTTP rejects web pages: simple requests, foreign hosts and GET', async () => {
  const address = `${service.controlUrl}/assets`;
  expect((await call(address, { method: 'POST', body: 'null' })).status).toBe(415);
  expect((await call(address)).status).toBe(405);
});
