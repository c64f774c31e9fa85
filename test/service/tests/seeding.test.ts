import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EmbeddedService } from '../model.ts';
import { allowInBrowser } from '../person.ts';
import { startEmbeddedService } from '../start-service.ts';
import {
  askForTokens,
  authorizationLink,
  authorize,
  bearer,
  call,
  codeFields,
  createAsset,
  makePkce,
  postJson,
  s3For,
} from './contract-client.ts';

let service: EmbeddedService;
beforeEach(async () => {
  service = await startEmbeddedService({ tilingMs: 0 });
});
afterEach(() => service.stop());

const callOver = (name: string, argument: unknown) => postJson(`${service.controlUrl}/${name}`, argument);
const everything = () =>
  bearer(service.control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']));
const read = async (id: number) =>
  (await call(`${service.baseUrl}/v1/assets/${id}`, { headers: everything() })).body;
const create = (body: unknown) => postJson(`${service.baseUrl}/v1/assets`, body, everything());

const groundAsset = {
  id: 4711,
  name: 'DGM1 2026',
  type: 'TERRAIN',
  description: '**Ground**',
  attribution: '© Land survey',
  bytes: 1234,
  dateAdded: '2026-01-02T03:04:05Z',
  status: 'IN_PROGRESS',
  percentComplete: 41,
  progressMessage: 'Cutting tiles',
  labels: ['survey', { year: 2026 }],
};

describe('contract 2.1: existing assets', () => {
  it('existing assets: keeps the given ID and every given field, unknown ones too', async () => {
    expect((await callOver('seedAsset', groundAsset)).body).toEqual({ value: 4711 });
    expect(await read(4711)).toEqual(groundAsset);
    expect((await call(`${service.baseUrl}/v1/assets`, { headers: everything() })).body).toEqual({
      items: [groundAsset],
    });
  });

  it.each(['AWAITING_FILES', 'NOT_STARTED', 'IN_PROGRESS', 'COMPLETE', 'DATA_ERROR', 'ERROR', 'ARCHIVED'])(
    'existing assets: keeps existing assets in the state %s',
    async (status) => {
      const id = service.control.seedAsset({ name: 'x', type: 'IMAGERY', status, error: 'why' });
      const percentComplete = status === 'COMPLETE' ? 100 : 0;
      expect(await read(id)).toMatchObject({ status, percentComplete, error: 'why' });
    },
  );

  it('existing assets: clamps to an existing terrain', async () => {
    service.control.seedAsset(groundAsset);
    const options = { sourceType: 'CITYGML', clampToTerrain: true, baseTerrainId: 4711 };
    const body = { name: 'Houses', type: '3DTILES', options };
    expect((await create(body)).status).toBe(200);
    options.baseTerrainId = 4712;
    expect((await create(body)).status).toBe(400);
  });

  it('existing assets remember their creation options outside the record', async () => {
    const options = { sourceType: 'RASTER_TERRAIN' };
    service.control.seedAsset({ ...groundAsset, options });
    expect(await read(4711)).toEqual(groundAsset);
    expect(service.control.optionsOf(4711)).toEqual(options);
  });

  it('existing assets refuse a repeated ID and never issue a used one', async () => {
    service.control.seedAsset({ ...groundAsset, id: 20_001 });
    expect(service.control.seedAsset({ name: 'next', type: 'IMAGERY' })).toBe(20_002);
    const secondAnswer = await callOver('seedAsset', { ...groundAsset, id: 20_001, name: 'again' });
    expect(secondAnswer).toMatchObject({ status: 400, body: { message: expect.stringContaining('20001') } });
    expect(await read(20_001)).toMatchObject({ name: 'DGM1 2026' });
  });

  it('existing assets change on request: the tiling ends', async () => {
    service.control.seedAsset(groundAsset);
    await callOver('changeAsset', { id: 4711, status: 'COMPLETE', percentComplete: 100, labels: [] });
    expect(await read(4711)).toEqual({
      ...groundAsset,
      status: 'COMPLETE',
      percentComplete: 100,
      labels: [],
    });
    expect((await callOver('changeAsset', { id: 4712, status: 'COMPLETE' })).status).toBe(400);
  });

  it('existing assets: shows a page with all fields of an existing asset', async () => {
    service.control.seedAsset({ ...groundAsset, error: '<none>' });
    const { status, text } = await call(`${service.authUrl}/assets/4711`);
    expect(status).toBe(200);
    for (const shownText of [
      'DGM1 2026',
      '**Ground**',
      '© Land survey',
      'Cutting tiles',
      '&lt;none&gt;',
      '2026',
    ])
      expect(text).toContain(shownText);
  });

  it.each([
    ['an invalid id', { ...groundAsset, id: 1.5 }],
    ['a negative size', { ...groundAsset, bytes: -1 }],
    ['no name', { ...groundAsset, name: undefined }],
    ['an error that is no text', { ...groundAsset, error: { code: 1 } }],
  ])('existing assets refuse %s', async (_, asset) => {
    expect((await callOver('seedAsset', asset)).status).toBe(400);
    expect(service.control.assets()).toEqual([]);
  });
});

describe('contract 2.2: fields at creation', () => {
  const validBody = { name: 'Old town', type: '3DTILES', options: { sourceType: 'CITYGML' } };

  it('a new asset keeps its attribution and unknown members', async () => {
    const fields = { attribution: '© City', labels: ['a'], project: { number: 7 } };
    const { body } = await create({ ...validBody, ...fields });
    expect(body.assetMetadata).toMatchObject(fields);
    const { id } = body.assetMetadata as { readonly id: number };
    expect(await read(id)).toEqual(body.assetMetadata);
    expect(body.assetMetadata).not.toHaveProperty('options');
  });

  it('a new asset ignores a given id, state, size and time', async () => {
    const fields = { id: 1, status: 'COMPLETE', percentComplete: 100, bytes: 9, dateAdded: 'x', error: 'x' };
    const { body } = await create({ ...validBody, ...fields });
    expect(body.assetMetadata).toMatchObject({ status: 'AWAITING_FILES', percentComplete: 0, bytes: 0 });
    expect(body.assetMetadata).not.toMatchObject({ id: 1 });
    expect(body.assetMetadata).not.toHaveProperty('error');
  });

  it('the service refuses an attribution that isn’t text', async () => {
    expect((await create({ ...validBody, attribution: 7 })).status).toBe(400);
  });
});

describe('seed', () => {
  const redirect = 'http://localhost:9000/';

  it('the seed adds assets, dashboard clients with numeric IDs, and tokens with scopes', async () => {
    const seed = {
      assets: [
        { name: 'first free id', type: 'IMAGERY' },
        { ...groundAsset, id: 20_001 },
      ],
      clients: [{ id: 4711, name: 'Survey', redirectUris: [redirect] }],
      tokens: [{ name: 'reader', scopes: ['assets:list'], token: 'chosen-token' }, { scopes: ['geocode'] }],
    };
    const { body } = await callOver('seed', seed);
    expect(body.value).toEqual({ assets: [20_002, 20_001], tokens: ['chosen-token', expect.any(String)] });
    const list = (token: unknown) => call(`${service.baseUrl}/v1/assets`, { headers: bearer(token) });
    expect((await list('chosen-token')).status).toBe(200);
    expect((await list((body.value as { tokens: string[] }).tokens[1])).status).toBe(403);
    expect(service.control.issuedSecrets()).toContain('chosen-token');
    const { verifier, challenge } = makePkce();
    const link = authorizationLink(service, '4711', challenge, { redirect_uri: redirect });
    const code = new URL(await allowInBrowser(link)).searchParams.get('code') ?? '';
    const fields = codeFields({ clientId: '4711', code, verifier });
    // A number in JSON is accepted too.
    const answer = await askForTokens(service, { ...fields, redirect_uri: redirect, client_id: 4711 });
    expect(answer.status).toBe(200);
  });

  it('the seed sets lifetimes in either spelling', async () => {
    service.control.seed({ accessTokenSeconds: 7, refreshTokenSeconds: 11, expiryNames: 'expiresIn' });
    const { body } = await askForTokens(service, codeFields(await authorize(service)));
    expect(body).toMatchObject({ expiresIn: 7, refreshTokenExpiresIn: 11 });
    expect(body).not.toHaveProperty('expires_in');
    const fields = codeFields(await authorize(service));
    const { text } = await askForTokens(service, fields, { accept: 'application/xml' });
    expect(text).toContain('<expires_in>7</expires_in>');
    service.control.seed({ expiryNames: 'expires_in' });
    const plain = await askForTokens(service, codeFields(await authorize(service)));
    expect(plain.body).toMatchObject({ expires_in: 7, refresh_token_expires_in: 11 });
  });

  it('the seed prefixes the path of the sign-in host', async () => {
    const previousUrl = service.authUrl;
    service.control.seed({ signInPath: '/ion/sign-in', assets: [groundAsset] });
    expect(service.authUrl).toBe(`${previousUrl}/ion/sign-in`);
    expect((await authorize(service)).code).toEqual(expect.any(String));
    expect((await call(`${service.authUrl}/assets/4711`)).status).toBe(200);
    expect((await call(`${previousUrl}/assets/4711`)).status).toBe(404);
  });

  it.each([
    ['an asset twice', { assets: [groundAsset, groundAsset] }],
    ['an unknown scope', { assets: [groundAsset], tokens: [{ scopes: ['assets:everything'] }] }],
    ['a misspelt member', { assets: [groundAsset], client: [] }],
    ['a token that no header can carry', { assets: [groundAsset], tokens: [{ scopes: [], token: 'a b' }] }],
    ['a sign-in path that ends with a slash', { assets: [groundAsset], signInPath: '/ion/' }],
    [
      'a client without a number',
      { assets: [groundAsset], clients: [{ id: 'x', name: 'x', redirectUris: ['x:/'] }] },
    ],
  ])('the seed refuses a seed entirely with %s', async (_, seed) => {
    expect((await callOver('seed', seed)).status).toBe(400);
    expect(service.control.assets()).toEqual([]);
  });
});

describe('contract 9: the earlier form of the flow', () => {
  const redirect = 'tilelift://oauth/callback';
  const withoutPkce = { code_challenge: undefined, code_challenge_method: undefined };
  const codeFor = async (change: Readonly<Record<string, string | undefined>>, challenge = '') => {
    const link = authorizationLink(service, '1001', challenge, change);
    return new URL(await allowInBrowser(link)).searchParams;
  };
  const redeem = (code: string | null, extraFields: Readonly<Record<string, unknown>> = {}) =>
    askForTokens(service, {
      grant_type: 'authorization_code',
      client_id: '1001',
      redirect_uri: redirect,
      code,
      ...extraFields,
    });
  beforeEach(() => void service.control.seed({ flow: 'earlier' }));

  it('the earlier form of the flow: works without PKCE and returns only access_token and token_type, in each format', async () => {
    for (const accept of ['application/json', 'application/xml', 'text/plain']) {
      const code = (await codeFor(withoutPkce)).get('code');
      const fields = { grant_type: 'authorization_code', client_id: 1001, redirect_uri: redirect, code };
      const { text, status } = await askForTokens(service, fields, { accept });
      expect(status).toBe(200);
      expect(text).toContain('access_token');
      expect(text).toContain('token_type');
      expect(text).not.toMatch(/refresh|expires/);
    }
  });

  it('the earlier form of the flow: requires the verifier if PKCE is used', async () => {
    const { verifier, challenge } = makePkce();
    const code = (await codeFor({}, challenge)).get('code');
    expect((await redeem(code)).body.error).toBe('invalid_grant');
    expect((await redeem(code, { code_verifier: makePkce().verifier })).body.error).toBe('invalid_grant');
    const { body } = await redeem(code, { code_verifier: verifier });
    expect(Object.keys(body)).toEqual(['access_token', 'token_type']);
    const list = await call(`${service.baseUrl}/v1/assets`, { headers: bearer(body.access_token) });
    expect(list.status).toBe(200);
  });

  it('the earlier form of the flow: requires challenge and method together, and refuses an unexpected verifier', async () => {
    const half = await codeFor({ code_challenge_method: undefined }, makePkce().challenge);
    expect(half.get('error')).toBe('invalid_request');
    expect((await codeFor({ code_challenge: undefined })).get('error')).toBe('invalid_request');
    const code = (await codeFor(withoutPkce)).get('code');
    const answer = await redeem(code, { code_verifier: makePkce().verifier });
    expect(answer.body.error).toBe('invalid_grant');
  });

  it('the earlier form of the flow: accepts dashboard clients only, with one redirect URI each', async () => {
    const body = { client_name: 'x', redirect_uris: [redirect] };
    expect((await postJson(`${service.baseUrl}/oauth/register`, body)).status).toBe(404);
    service.control.seed({ clients: [{ id: 7, name: 'Two', redirectUris: [redirect, 'other:/'] }] });
    const secondLink = authorizationLink(service, '7', makePkce().challenge, { redirect_uri: 'other:/' });
    expect((await call(secondLink)).status).toBe(400);
    expect((await call(authorizationLink(service, '7', makePkce().challenge))).status).toBe(200);
    const document = authorizationLink(service, 'http://localhost:1/client', makePkce().challenge);
    expect((await call(document)).text).toContain('not known');
  });

  it('the earlier form of the flow issues no refresh token', async () => {
    const fields = { grant_type: 'refresh_token', client_id: '1001', redirect_uri: redirect };
    const answer = await askForTokens(service, { ...fields, refresh_token: 'x' });
    expect(answer.body.error).toBe('unsupported_grant_type');
  });

  it('the earlier form of the flow: requires PKCE in the current form', async () => {
    service.control.seed({ flow: 'current' });
    expect((await codeFor(withoutPkce)).get('error')).toBe('invalid_request');
  });
});

describe('contract 4.8: completing without a body', () => {
  it('completing without a body: accepts an empty chunked body', async () => {
    const created = await createAsset(service);
    const { bucket: Bucket, prefix } = created.uploadLocation;
    await s3For(service, created.uploadLocation).send(
      new PutObjectCommand({ Bucket, Key: `${prefix}a`, Body: 'data' }),
    );
    const endlessStream = new ReadableStream({ start: (controller) => controller.close() });
    const init = { method: 'POST', headers: everything(), body: endlessStream, duplex: 'half' };
    expect((await call(created.onComplete.url, init)).status).toBe(204);
  });
});
