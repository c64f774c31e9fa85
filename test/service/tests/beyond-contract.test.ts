import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { EmbeddedService } from '../model.ts';
import { allowInBrowser } from '../person.ts';
import { startEmbeddedService } from '../start-service.ts';
import { authorizationLink, bearer, call, makePkce, postJson, register } from './contract-client.ts';

let service: EmbeddedService;
let strictService: EmbeddedService;
let token: string;
beforeAll(async () => {
  service = await startEmbeddedService({ beyondContract: true, furtherAccounts: ['Field crew'] });
  strictService = await startEmbeddedService();
  token = service.control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']);
});
afterAll(() => Promise.all([service.stop(), strictService.stop()]));

const send = (method: string, path: string, body?: unknown, access = token) =>
  call(`${service.baseUrl}/v1${path}`, {
    method,
    headers: { ...bearer(access), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const strictToken = () =>
  strictService.control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']);

describe('beyond the contract, the service', () => {
  it('beyond the contract, the service has World Terrain as asset 1, which can be a base terrain but not change', async () => {
    expect((await send('GET', '/assets/1')).body).toMatchObject({ name: 'World Terrain', type: 'TERRAIN' });
    const options = { sourceType: 'CITYGML', clampToTerrain: true, baseTerrainId: 1 };
    expect((await send('POST', '/assets', { name: 'Town', type: '3DTILES', options })).status).toBe(200);
    expect((await send('PATCH', '/assets/1', { name: 'Mine' })).status).toBe(403);
    expect((await send('DELETE', '/assets/1')).status).toBe(403);
  });

  it('renames, describes and deletes an asset', async () => {
    const id = service.control.seedAsset({ name: 'Old', type: 'IMAGERY' });
    expect((await send('PATCH', `/assets/${id}`, { name: 'New', description: '*2026*' })).status).toBe(204);
    expect((await send('GET', `/assets/${id}`)).body).toMatchObject({ name: 'New', description: '*2026*' });
    expect((await send('PATCH', `/assets/${id}`, { name: ' ' })).status).toBe(400);
    const reader = service.control.makeAccessToken(['assets:read']);
    expect((await send('DELETE', `/assets/${id}`, undefined, reader)).status).toBe(403);
    expect((await send('DELETE', `/assets/${id}`)).status).toBe(204);
    expect((await send('GET', `/assets/${id}`)).status).toBe(404);
  });

  it('beyond the contract, the service: lists pages that a client can follow', async () => {
    const ids: unknown[] = [];
    let nextUrl: string | undefined = `${service.baseUrl}/v1/assets?limit=1`;
    while (nextUrl !== undefined) {
      const answer = await call(nextUrl, { headers: bearer(token) });
      const items = z.array(z.looseObject({ id: z.number() })).parse(answer.body.items);
      expect(items).toHaveLength(1);
      ids.push(items[0]?.id);
      nextUrl = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect(ids).toEqual(service.control.assets().map(({ id }) => id));
    expect((await send('GET', '/assets?limit=0')).status).toBe(400);
  });

  it('beyond the contract, the service: takes the token as a query parameter', async () => {
    expect((await call(`${service.baseUrl}/v1/assets?access_token=${token}`)).status).toBe(200);
    expect((await call(`${service.baseUrl}/v1/assets?access_token=other`)).status).toBe(401);
  });

  it.each([
    ['3DTILES', 'tileset.json', ['tileset.json', 'box.glb']],
    ['IMAGERY', '', ['tilemapresource.xml', '0/0/0.png', '0/1/0.png']],
    ['TERRAIN', '', ['layer.json', '0/0/0.terrain', '0/1/0.terrain']],
    ['GEOJSON', 'data.geojson', ['data.geojson']],
  ])(
    'beyond the contract, the service: serves tiles of an asset of type %s to a viewer in a web page',
    async (type, entry, files) => {
      const id = service.control.seedAsset({ name: 'Old', type, attribution: '© <Survey>' });
      const { body, headers } = await send('GET', `/assets/${id}/endpoint`);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(body).toEqual({
        ...{ type, url: `${service.baseUrl}/tiles/${id}/${entry}`, accessToken: token },
        attributions: [{ html: '© &lt;Survey&gt;', collapsible: false }],
      });
      for (const file of files) {
        const address = `${service.baseUrl}/tiles/${id}/${file}`;
        expect((await call(address, { method: 'OPTIONS' })).status).toBe(204);
        expect((await call(address)).status).toBe(401);
        expect((await call(address, { headers: bearer(token) })).status).toBe(200);
      }
      expect((await call(`${service.baseUrl}/tiles/${id}/other`, { headers: bearer(token) })).status).toBe(
        404,
      );
    },
  );

  it('beyond the contract, the service has no tiles before COMPLETE', async () => {
    const id = service.control.seedAsset({ name: 'New', type: 'IMAGERY', status: 'IN_PROGRESS' });
    expect((await send('GET', `/assets/${id}/endpoint`)).status).toBe(409);
  });

  it('beyond the contract, the service: returns tiles in the formats that they name', async () => {
    const bytesOf = async (type: string, file: string) => {
      const id = service.control.seedAsset({ name: 'Old', type });
      const answer = await fetch(`${service.baseUrl}/tiles/${id}/${file}`, { headers: bearer(token) });
      return Buffer.from(await answer.arrayBuffer());
    };
    const glb = await bytesOf('3DTILES', 'box.glb');
    const textEnd = 20 + glb.readUInt32LE(12);
    const { accessors } = z
      .looseObject({ accessors: z.array(z.looseObject({ count: z.number() })) })
      .parse(JSON.parse(glb.toString('utf8', 20, textEnd)));
    expect([glb.toString('latin1', 0, 4), glb.readUInt32LE(8)]).toEqual(['glTF', glb.length]);
    expect(accessors.map(({ count }) => count)).toEqual([8, 36]);
    expect(glb.length - textEnd - 8).toBe(8 * 12 + 36 * 2);
    const png = await bytesOf('IMAGERY', '0/0/0.png');
    const pixels = inflateSync(png.subarray(png.indexOf('IDAT') + 4, png.indexOf('IEND') - 8));
    expect([png.readUInt32BE(16), png.readUInt32BE(20), pixels.length]).toEqual([256, 256, 256 * 257]);
    const heights = await bytesOf('TERRAIN', '0/0/0.terrain');
    expect([heights.length, heights.readUInt16LE(0)]).toEqual([65 * 65 * 2 + 2, 5000]);
  });

  it.each(['GEOJSON', 'CZML', 'KML', 'GLTF'])(
    'beyond the contract, the service: accepts the type %s, from its own source type',
    async (type) => {
      const body = { name: 'Roads', type, options: { sourceType: type } };
      expect((await send('POST', '/assets', body)).body.assetMetadata).toMatchObject({ type });
      expect((await send('POST', '/assets', { ...body, options: { sourceType: 'CITYGML' } })).status).toBe(
        400,
      );
      const answer = await postJson(`${strictService.baseUrl}/v1/assets`, body, bearer(strictToken()));
      expect([answer.status, answer.body.message]).toEqual([
        400,
        'type: is not one of 3DTILES, IMAGERY, TERRAIN',
      ]);
    },
  );

  it('beyond the contract, the service: grants the scopes of first-party clients', async () => {
    const scope = 'assets:read tokens:read tokens:write profile:read';
    const id = await register(service);
    const link = (at: EmbeddedService) => authorizationLink(at, id, makePkce().challenge, { scope });
    expect(await allowInBrowser(link(service))).toContain('code=');
    await register(strictService);
    expect(await allowInBrowser(link(strictService))).toContain('error=invalid_scope');
  });

  it('beyond the contract, the service: knows the account and its default assets', async () => {
    expect((await send('GET', '/me')).body).toMatchObject({ username: 'Survey Office' });
    expect((await send('GET', '/defaults')).body).toMatchObject({ defaultAssets: { terrain: 1 } });
  });

  it('beyond the contract, the service: returns to any port of a loopback address that is registered without one', async () => {
    const registeredUri = 'http://127.0.0.1/path';
    const actual = 'http://127.0.0.1:49152/path';
    const { body } = await postJson(`${service.baseUrl}/oauth/register`, {
      ...{ client_name: 'Add-in', redirect_uris: [registeredUri] },
    });
    const id = String(body.client_id);
    const pkce = makePkce();
    const link = (uri: string) => authorizationLink(service, id, pkce.challenge, { redirect_uri: uri });
    const callback = new URL(await allowInBrowser(link(actual)));
    expect(callback.href.startsWith(`${actual}?`)).toBe(true);
    const exchange = (uri: string) =>
      postJson(`${service.baseUrl}/oauth/token`, {
        ...{ grant_type: 'authorization_code', client_id: id, redirect_uri: uri },
        ...{ code: callback.searchParams.get('code'), code_verifier: pkce.verifier },
      });
    expect((await exchange(registeredUri)).status).toBe(400);
    expect((await exchange(actual)).status).toBe(200);
    for (const foreignUri of ['http://127.0.0.1:49152/other', 'http://127.0.0.1:80@evil.example/path'])
      expect((await call(link(foreignUri))).status).toBe(400);
  });
});

it.each([
  ['GET', '/assets/1', 404],
  ['GET', '/assets/1/endpoint', 404],
  ['GET', '/me', 404],
  ['GET', '/defaults', 404],
  ['PATCH', '/assets/7', 405],
  ['DELETE', '/assets/7', 405],
])('--strict has no %s %s', async (method, path, status) => {
  const headers = bearer(strictToken());
  expect((await call(`${strictService.baseUrl}/v1${path}`, { method, headers })).status).toBe(status);
});

it('--strict ignores paging and refuses tokens in the query', async () => {
  for (const name of ['A', 'B']) strictService.control.seedAsset({ name, type: 'IMAGERY' });
  const list = `${strictService.baseUrl}/v1/assets`;
  const { body, headers } = await call(`${list}?limit=1`, { headers: bearer(strictToken()) });
  expect(body.items).toHaveLength(2);
  expect(headers.get('link')).toBeNull();
  expect((await call(`${list}?access_token=${strictToken()}`)).status).toBe(401);
});

it('--strict compares redirect URIs character by character', async () => {
  const { body } = await postJson(`${strictService.baseUrl}/oauth/register`, {
    ...{ client_name: 'Add-in', redirect_uris: ['http://127.0.0.1/path'] },
  });
  const link = authorizationLink(strictService, String(body.client_id), makePkce().challenge, {
    redirect_uri: 'http://127.0.0.1:49152/path',
  });
  expect((await call(link)).status).toBe(400);
});
