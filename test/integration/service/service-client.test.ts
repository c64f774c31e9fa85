import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { mayHaveArrived } from '../../../main/service/error-answer.ts';
import { createTimeoutMs } from '../../../main/service/http-request.ts';
import type { CreationBody, UploadLocation } from '../../../main/service/model.ts';
import { createServiceClient } from '../../../main/service/service-client.ts';
import type { EmbeddedService, Fault } from '../../service/model.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { type ManualClock, manualClock } from '../../unit/account/stand-ins.ts';

const body: CreationBody = {
  name: 'Berlin',
  type: '3DTILES',
  options: { sourceType: 'CITYGML', clampToTerrain: true, attribution: '© Survey' },
};

let service: EmbeddedService;
let clock: ManualClock;
beforeEach(async () => {
  service = await startEmbeddedService({ tilingMs: 50 });
  clock = manualClock();
});
afterEach(() => service.stop());

function clientWith(...scopes: string[]) {
  return clientAt(service, service.control.makeAccessToken(scopes));
}
function clientAt({ baseUrl, authUrl }: EmbeddedService, token: string) {
  return createServiceClient({
    address: { baseUrl, authUrl },
    fetch,
    clock,
    bearer: async () => token,
    onInvalidCredentials: async () => {},
  });
}
const fullClient = () => clientWith('assets:list', 'assets:read', 'assets:write');
const onCreation = (action: Fault['action']) =>
  service.control.addFault({ match: { room: 'api', method: 'POST', path: '/v1/assets$' }, action });
/** Any S3 client may be used (contract 4.7). */
async function putObject({
  endpoint,
  bucket,
  prefix,
  accessKey,
  secretAccessKey,
  sessionToken,
}: UploadLocation) {
  const s3 = new S3Client({
    region: 'us-east-1',
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    credentials: { accessKeyId: accessKey, secretAccessKey, sessionToken },
    ...(endpoint === undefined ? {} : { endpoint }),
  });
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: `${prefix}a.gml`, Body: '<CityModel/>' }));
  s3.destroy();
}
const catchError = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

it('the service client creates an asset, reports it as uploaded and reads it until its end', async () => {
  const client = fullClient();
  const { asset, uploadLocation, onComplete } = await client.createAsset(body);
  expect(asset).toMatchObject({ name: 'Berlin', type: '3DTILES', status: 'AWAITING_FILES', bytes: 0 });
  expect(asset.attribution).toBe('© Survey');
  expect(service.control.optionsOf(asset.id)).toEqual({ sourceType: 'CITYGML', clampToTerrain: true });
  expect(uploadLocation).toMatchObject({ endpoint: service.storageUrl, prefix: `sources/${asset.id}/` });
  const listedAssets = await client.listAssets();
  expect(listedAssets.map(({ id }) => id)).toContain(asset.id);
  await expect(client.completeUpload(onComplete)).rejects.toMatchObject({
    code: 'request-refused',
    remote: { status: 400, code: 'NoFiles' },
  });
  await putObject(uploadLocation);
  await client.completeUpload(onComplete);
  await vi.waitFor(async () => expect((await client.readAsset(asset.id)).status).toBe('COMPLETE'));
});

it('the service client reads where a tiled asset is streamed from, or null if the service doesn’t say', async () => {
  const extendedService = await startEmbeddedService({ beyondContract: true });
  onTestFinished(() => extendedService.stop());
  const client = clientAt(extendedService, extendedService.control.makeAccessToken(['assets:read']));
  const id = extendedService.control.seedAsset({ name: 'Town', type: '3DTILES', attribution: '© <Survey>' });
  expect(await client.readEndpoint(id)).toMatchObject({
    type: '3DTILES',
    url: `${extendedService.baseUrl}/tiles/${id}/tileset.json`,
    attributions: ['© &lt;Survey&gt;'],
  });
  extendedService.control.addFault({
    match: { room: 'api', method: 'GET', path: `/assets/${id}/endpoint` },
    action: { kind: 'status', status: 200, body: '{"type":"3DTILES","options":{"url":"elsewhere"}}' },
  });
  expect(await client.readEndpoint(id)).toBeNull();
  const other = service.control.seedAsset({ name: 'Town', type: '3DTILES' });
  expect(await fullClient().readEndpoint(other)).toBeNull();
});

it('the service client edits and deletes an asset, and says if the service can’t', async () => {
  const extendedService = await startEmbeddedService({ beyondContract: true });
  onTestFinished(() => extendedService.stop());
  const token = extendedService.control.makeAccessToken(['assets:read', 'assets:write']);
  const client = clientAt(extendedService, token);
  const id = extendedService.control.seedAsset({ name: 'Old', type: 'TERRAIN', description: 'kept' });
  expect(await client.editAsset(id, { name: 'New' })).toMatchObject({ name: 'New', description: 'kept' });
  await client.deleteAsset(id);
  expect(extendedService.control.assets().some((asset) => asset.id === id)).toBe(false);
  await expect(client.deleteAsset(id)).rejects.toMatchObject({ code: 'asset-not-found' });

  const otherAsset = service.control.seedAsset({ name: 'Old', type: 'TERRAIN' });
  const unsupported = { code: 'change-unsupported', retryable: false };
  await expect(fullClient().editAsset(otherAsset, { name: 'New' })).rejects.toMatchObject(unsupported);
  for (const status of [404, 405, 501]) {
    const match = { room: 'api', method: 'DELETE' } as const;
    service.control.addFault({ match, action: { kind: 'status', status, body: '<html>' } });
    await expect(fullClient().deleteAsset(otherAsset)).rejects.toMatchObject(unsupported);
  }
});

it.each([0, 40])(
  'the service client marks a creation answered with %i bytes as possibly arrived and doesn’t repeat it',
  async (afterBytes) => {
    onCreation({ kind: 'cut-answer', afterBytes });
    const error = await catchError(fullClient().createAsset(body));
    expect(error).toMatchObject({ code: 'service-unreachable' });
    expect(mayHaveArrived(error)).toBe(true);
    expect(service.control.assets()).toHaveLength(1);
  },
);

it('the service client marks a creation without an answer as possibly arrived after five minutes', async () => {
  onCreation({ kind: 'stall' });
  const call = catchError(fullClient().createAsset(body));
  await vi.waitFor(() => expect(clock.sleepers()).toBe(1));
  clock.advance(createTimeoutMs);
  const error = await call;
  expect(error).toMatchObject({ code: 'service-unreachable' });
  expect(mayHaveArrived(error)).toBe(true);
});

it('S146: the service client sends no token to the target of a redirect', async () => {
  const otherService = await startEmbeddedService();
  try {
    const headers = { location: `${otherService.baseUrl}/v1/assets` };
    service.control.addFault({
      match: { room: 'api', path: '/v1/assets' },
      action: { kind: 'status', status: 307, headers },
    });
    await expect(fullClient().listAssets()).rejects.toMatchObject({ code: 'foreign-answer' });
    expect(otherService.control.requests()).toEqual([]);
  } finally {
    await otherService.stop();
  }
});
