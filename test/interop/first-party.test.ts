import { createHash, randomBytes } from 'node:crypto';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { EmbeddedService } from '../service/model.ts';
import { allowInBrowser } from '../service/person.ts';
import { startEmbeddedService } from '../service/start-service.ts';

/**
 * Requests of first-party clients with their parameters (docs/service-facts.md). They must reach COMPLETE at
 * the embedded service as at the real one. The code is ours.
 */

const dashboardId = 19;

interface Client {
  readonly name: string;
  /** A token of the account's settings, or sign-in parameters. */
  readonly signIn: 'token' | 'token in the query' | SignIn;
  readonly accept?: string;
  readonly asset: { readonly type: string; readonly options: Readonly<Record<string, unknown>> };
  readonly attribution?: string;
  readonly files: Readonly<Record<string, number>>;
  /** Size of a part; absent: each file is one request. */
  readonly partBytes?: number;
  readonly completion: 'fields' | 'no body';
  /** How a viewer uses the finished asset. */
  readonly opensTiles?: true;
}

interface SignIn {
  /** A dashboard client, or the redirect address of a registered one. */
  readonly client: 'dashboard' | string;
  readonly returnsTo: string;
  readonly scope: string;
  readonly verifierLength: number;
  readonly tokenPath: string;
  readonly tokenBody: 'json' | 'form';
}

const wideScopes = 'assets:list assets:read assets:write';
const city = { type: '3DTILES', options: { sourceType: 'CITYGML' } };
const part = 5 * 2 ** 20;

const clients: readonly Client[] = [
  {
    name: 'REST example (Node)',
    signIn: 'token',
    asset: { ...city, options: { sourceType: 'CITYGML', clampToTerrain: true, baseTerrainId: 1 } },
    files: { 'Reichstag.zip': 2_000 },
    completion: 'fields',
  },
  {
    name: 'Blender add-on',
    signIn: {
      ...{ client: 'dashboard', returnsTo: 'http://localhost:10101/', scope: 'assets:write' },
      ...{ verifierLength: 32, tokenPath: '/oauth/token/', tokenBody: 'json' },
    },
    accept: '*/*',
    asset: {
      type: '3DTILES',
      options: { sourceType: '3D_MODEL', textureFormat: 'AUTO', position: [13.4, 52.5, 34] },
    },
    attribution: '© Survey',
    files: { 'export.glb': 9_000_000 },
    partBytes: part,
    completion: 'no body',
  },
  ...(
    [
      ['3DTILES', { sourceType: '3D_CAPTURE', textureFormat: 'WEBP' }],
      ['IMAGERY', { sourceType: 'RASTER_IMAGERY' }],
      [
        'TERRAIN',
        {
          ...{ sourceType: 'RASTER_TERRAIN', baseTerrainId: 1, heightReference: 'MEAN_SEA_LEVEL' },
          ...{ toMeters: 1, waterMask: false },
        },
      ],
      ['3DTILES', { sourceType: 'POINT_CLOUD' }],
    ] as const
  ).map(
    ([type, options]): Client => ({
      ...{ name: `WebODM plugin (${options.sourceType})`, signIn: 'token', asset: { type, options } },
      ...{ attribution: 'WebODM', files: { 'task.zip': 6_000_000 }, partBytes: part, completion: 'fields' },
    }),
  ),
  {
    name: 'Revit add-in',
    signIn: {
      ...{ client: 'http://127.0.0.1/oauth/', returnsTo: 'http://127.0.0.1:49321/oauth/', scope: wideScopes },
      ...{ verifierLength: 64, tokenPath: '/oauth/token', tokenBody: 'form' },
    },
    asset: { type: '3DTILES', options: { sourceType: 'BIM_CAD', instancing: true, inputCrs: 'EPSG:25833' } },
    files: { 'house/scene.gltf': 500, 'house/scene.bin': 1_000 },
    completion: 'fields',
  },
  {
    name: 'Unreal and Unity (cesium-native)',
    signIn: {
      client: 'http://127.0.0.1/cesium-for-unreal/oauth2/callback',
      returnsTo: 'http://127.0.0.1:50111/cesium-for-unreal/oauth2/callback',
      scope: `${wideScopes} profile:read tokens:read tokens:write`,
      ...{ verifierLength: 43, tokenPath: '/oauth/token', tokenBody: 'json' },
    },
    asset: city,
    files: { 'town.gml': 100 },
    completion: 'fields',
    opensTiles: true,
  },
  {
    name: 'SketchUp extension',
    signIn: 'token in the query',
    asset: { type: '3DTILES', options: { sourceType: '3D_MODEL', geometryCompression: 'DRACO' } },
    files: { 'model.dae': 100, 'model/roof.jpg': 100 },
    completion: 'no body',
  },
  ...(['GEOJSON', 'CZML', 'KML', 'GLTF'] as const).map(
    (type): Client => ({
      ...{ name: `dashboard (${type})`, signIn: 'token', completion: 'fields', opensTiles: true },
      ...{ asset: { type, options: { sourceType: type } }, files: { [`data.${type.toLowerCase()}`]: 100 } },
    }),
  ),
];

let service: EmbeddedService;
beforeAll(async () => {
  service = await startEmbeddedService({
    ...{ tilingMs: 20, beyondContract: true, signInPath: '/ion' },
    dashboardClients: [{ id: dashboardId, name: 'Add-on', redirectUris: ['http://localhost:10101/'] }],
  });
});
afterAll(() => service.stop());

const created = z.object({
  assetMetadata: z.object({ id: z.number(), attribution: z.string() }),
  uploadLocation: z.object({
    ...{ bucket: z.string(), prefix: z.string(), endpoint: z.string() },
    ...{ accessKey: z.string(), secretAccessKey: z.string(), sessionToken: z.string() },
  }),
  onComplete: z.object({ method: z.string(), url: z.string(), fields: z.object({}) }),
});

async function tokenOf(signIn: Client['signIn']): Promise<string> {
  if (typeof signIn === 'string') return service.control.makeAccessToken(wideScopes.split(' '));
  const clientId =
    signIn.client === 'dashboard'
      ? dashboardId
      : z
          .object({ client_id: z.string() })
          .parse(
            await post(`${service.baseUrl}/oauth/register`, {
              ...{ client_name: 'Add-in', redirect_uris: [signIn.client] },
            }),
          ).client_id;
  const code_verifier = randomBytes(64).toString('hex').slice(0, signIn.verifierLength);
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: String(clientId), redirect_uri: signIn.returnsTo },
    ...{ scope: signIn.scope, state: 'opaque', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
  });
  const callback = new URL(await allowInBrowser(`${service.authUrl}/oauth?${query}`));
  expect(callback.searchParams.get('state')).toBe('opaque');
  const fields = {
    ...{ grant_type: 'authorization_code', client_id: clientId, redirect_uri: signIn.returnsTo },
    ...{ code: callback.searchParams.get('code') ?? '', code_verifier },
  };
  const address = service.baseUrl + signIn.tokenPath;
  const body = new URLSearchParams({ ...fields, client_id: String(clientId) });
  const answer =
    signIn.tokenBody === 'json'
      ? await post(address, fields)
      : await read(fetch(address, { method: 'POST', body, headers: { Accept: 'application/json' } }));
  return z.object({ access_token: z.string() }).parse(answer).access_token;
}

const post = (address: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  read(
    fetch(address, {
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: { 'Content-Type': 'application/json', ...headers },
    }),
  );

/** The JSON of a successful answer. */
async function read(answer: Promise<Response>): Promise<unknown> {
  const response = await answer;
  const text = await response.text();
  expect({ address: response.url, ok: response.ok, text }).toMatchObject({ ok: true });
  return text === '' ? null : JSON.parse(text);
}

describe('flows of first-party clients', () => {
  it.each(clients)('an asset of $name reaches COMPLETE', async (client) => {
    const token = await tokenOf(client.signIn);
    const inQuery = client.signIn === 'token in the query';
    const at = (address: string) => (inQuery ? `${address}?access_token=${token}` : address);
    const headers = {
      ...(inQuery ? {} : { Authorization: `Bearer ${token}` }),
      ...(client.accept === undefined ? {} : { Accept: client.accept }),
    };
    const { name, asset, attribution } = client;
    const body = { name, description: '', ...asset, ...(attribution === undefined ? {} : { attribution }) };
    const { assetMetadata, uploadLocation, onComplete } = created.parse(
      await post(at(`${service.baseUrl}/v1/assets`), body, headers),
    );
    expect(assetMetadata.attribution).toBe(attribution ?? '');
    const { bucket: Bucket, prefix, endpoint, accessKey, secretAccessKey, sessionToken } = uploadLocation;
    const s3 = new S3Client({
      ...{ endpoint, region: 'us-east-1' },
      credentials: { accessKeyId: accessKey, secretAccessKey, sessionToken },
    });
    for (const [file, bytes] of Object.entries(client.files)) {
      const params = { Bucket, Key: prefix + file, Body: randomBytes(bytes) };
      if (client.partBytes === undefined) await s3.send(new PutObjectCommand(params));
      else await new Upload({ client: s3, params, partSize: client.partBytes }).done();
    }
    const { method, url, fields } = onComplete;
    if (client.completion === 'fields') await post(at(url), fields, headers);
    else await read(fetch(at(url), { method, headers }));
    const { id } = assetMetadata;
    // Exporters with `assets:write` alone don't poll.
    const mayRead = typeof client.signIn === 'string' || client.signIn.scope.includes('assets:read');
    const record = async () =>
      mayRead
        ? await read(fetch(at(`${service.baseUrl}/v1/assets/${id}`), { headers }))
        : service.control.assets().find((candidate) => candidate.id === id);
    await expect.poll(record).toMatchObject({ status: 'COMPLETE', type: asset.type });
    expect((await service.control.objects(prefix)).map(({ key }) => key.slice(prefix.length))).toEqual(
      Object.keys(client.files).sort(),
    );
    if (client.opensTiles) {
      const tiles = z
        .object({ url: z.string(), accessToken: z.string() })
        .parse(await read(fetch(at(`${service.baseUrl}/v1/assets/${id}/endpoint`), { headers })));
      const answer = await fetch(tiles.url, { headers: { Authorization: `Bearer ${tiles.accessToken}` } });
      expect(answer.ok).toBe(true);
    }
  });
});
