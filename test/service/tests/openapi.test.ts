import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedService } from '../model.ts';
import { startEmbeddedService } from '../start-service.ts';
import {
  authorizationLink,
  authorize,
  bearer,
  type Created,
  codeFields,
  createAsset,
  makePkce,
  redirectUri,
  register,
  s3For,
} from './contract-client.ts';
import { Description, type Exchanged } from './described-answers.ts';

/** Compares the description with the service: neither may contain more than the other. */

const description = new Description();
let service: EmbeddedService;
let allTokens: Record<string, string>;
beforeAll(async () => {
  service = await startEmbeddedService({ tilingMs: 60_000 });
  allTokens = bearer(service.control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']));
});
afterAll(() => service.stop());

interface SentRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request and records the answer. */
async function exchange(origin: string, path: string, request: SentRequest = {}): Promise<Exchanged> {
  const { method = request.body === undefined ? 'GET' : 'POST', headers = {}, body } = request;
  const init = body === undefined ? {} : { body };
  const answer = await fetch(origin + path, { method, headers, redirect: 'manual', ...init });
  const type = (headers['content-type'] ?? '').split(';')[0] ?? '';
  return {
    method,
    path,
    body: body === undefined ? undefined : { type, text: body },
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    text: await answer.text(),
  };
}

/** Expects a described answer with this status. */
async function expectDescribed(exchanging: Promise<Exchanged>, status: number): Promise<Exchanged> {
  const exchanged = await exchanging;
  expect(description.complaints(exchanged)).toEqual([]);
  expect(exchanged.status).toBe(status);
  return exchanged;
}

const api = (path: string, request: SentRequest = {}) => exchange(service.baseUrl, path, request);
const json = (value: unknown, headers: Readonly<Record<string, string>> = {}) => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
});
const validBody = { name: 'Old town', type: '3DTILES', options: { sourceType: 'CITYGML' } };
const tooLarge = 'x'.repeat(1_100_000);

describe('contract 4.1: the authorization page', () => {
  const open = (link: string) => {
    const { pathname, search, origin } = new URL(link);
    return exchange(origin, pathname + search);
  };
  it('the authorization page matches the description', async () => {
    const id = await register(service);
    const link = (change = {}) => authorizationLink(service, id, makePkce().challenge, change);
    await expectDescribed(open(link()), 200);
    await expectDescribed(open(link({ state: undefined })), 200);
    const wrongAnswer = await expectDescribed(open(link({ scope: 'geocode' })), 302);
    expect(description.wrongRequest(wrongAnswer)).not.toEqual([]);
    await expectDescribed(open(link({ client_id: 'dcr:nobody' })), 400);
  });
});

describe('contract 4.2: registration', () => {
  it('registration matches the description', async () => {
    const body = { client_name: 'Described', redirect_uris: [redirectUri], logo_uri: 'https://x.invalid/' };
    await expectDescribed(api('/oauth/register', json(body)), 201);
    await expectDescribed(api('/oauth/register', json(body)), 200);
    const wrongAnswer = await expectDescribed(
      api('/oauth/register', json({ ...body, client_name: '' })),
      400,
    );
    expect(description.wrongRequest(wrongAnswer)).not.toEqual([]);
    const brokenRequest = { ...json(body), body: '{' };
    await expectDescribed(api('/oauth/register', brokenRequest), 400);
    await expectDescribed(api('/oauth/register', { ...json(body), headers: {} }), 415);
    await expectDescribed(api('/oauth/register', json(tooLarge)), 413);
    service.control.seed({ flow: 'earlier' });
    await expectDescribed(api('/oauth/register', json(body)), 404);
    service.control.seed({ flow: 'current' });
  });
});

describe('contract 4.3, 4.4: tokens', () => {
  const ask = (fields: unknown, accept = 'application/json') => api('/oauth/token', json(fields, { accept }));

  it('tokens match the description in each format, for a code and for a refresh token', async () => {
    for (const accept of ['application/json', 'application/xml', 'text/html'])
      await expectDescribed(ask(codeFields(await authorize(service)), accept), 200);
    const authorized = await authorize(service);
    const body = new URLSearchParams(codeFields(authorized)).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { text } = await expectDescribed(api('/oauth/token', { headers, body }), 200);
    const { refresh_token } = JSON.parse(text);
    const { clientId: client_id } = authorized;
    const fields = { grant_type: 'refresh_token', client_id, refresh_token, redirect_uri: redirectUri };
    await expectDescribed(ask(fields), 200);
  });

  it('tokens match the description in the other spelling and in the earlier form of the flow', async () => {
    for (const seed of [{ expiryNames: 'expiresIn' }, { flow: 'earlier' }] as const) {
      service.control.seed(seed);
      for (const accept of ['application/json', 'application/xml', 'text/html'])
        await expectDescribed(ask(codeFields(await authorize(service, '1001')), accept), 200);
      service.control.seed({ expiryNames: 'expires_in', flow: 'current' });
    }
  });

  it('tokens match the description when refused', async () => {
    const fields = codeFields(await authorize(service));
    const wrongAnswer = await expectDescribed(ask({ ...fields, code_verifier: 'short' }), 400);
    expect(description.wrongRequest(wrongAnswer)).not.toEqual([]);
    await expectDescribed(api('/oauth/token', { ...json({}), body: '{' }), 400);
    await expectDescribed(ask({ ...fields, client_id: 'dcr:nobody' }), 401);
    await expectDescribed(ask({ ...fields, code: tooLarge }), 413);
  });
});

describe('contract 4.5, 4.6, 4.8, 4.9: assets', () => {
  const create = (body: unknown, headers = allTokens) => api('/v1/assets', json(body, headers));

  it('assets match the description when created, with and without an endpoint', async () => {
    const { text } = await expectDescribed(create({ ...validBody, labels: ['x'] }), 200);
    await expectDescribed(
      api(`/v1/assets/${JSON.parse(text).assetMetadata.id}`, { headers: allTokens }),
      200,
    );
    const otherService = await startEmbeddedService({ omitEndpoint: true });
    const token = bearer(otherService.control.makeAccessToken(['assets:write']));
    try {
      await expectDescribed(exchange(otherService.baseUrl, '/v1/assets', json(validBody, token)), 200);
    } finally {
      await otherService.stop();
    }
  });

  it.each([
    ['no name', { name: undefined }],
    ['a blank name', { name: ' ' }],
    ['an unknown type', { type: 'MESH' }],
    ['no options', { options: undefined }],
    ['no sourceType', { options: {} }],
    ['a blank sourceType', { options: { sourceType: ' ' } }],
    ['an option that is no boolean', { options: { sourceType: 'KML', clampToTerrain: 'yes' } }],
    ['a terrain that is no integer', { options: { sourceType: 'KML', baseTerrainId: 1.5 } }],
    ['a description that is no text', { description: 7 }],
    ['an attribution that is no text', { attribution: null }],
  ])('assets: refuses %s like the description', async (_, change) => {
    const refusedAnswer = await expectDescribed(create({ ...validBody, ...change }), 400);
    expect(description.wrongRequest(refusedAnswer)).not.toEqual([]);
  });

  it('assets match the description when listed and read, in every state', async () => {
    for (const status of ['AWAITING_FILES', 'IN_PROGRESS', 'COMPLETE', 'DATA_ERROR', 'ARCHIVED']) {
      const asset = { name: 'x', type: 'GLTF', status, error: 'why', labels: [1] };
      const id = service.control.seedAsset(asset);
      await expectDescribed(api(`/v1/assets/${id}`, { headers: allTokens }), 200);
    }
    await expectDescribed(api('/v1/assets', { headers: allTokens }), 200);
    await expectDescribed(api('/v1/assets/1', { headers: allTokens }), 404);
  });

  it('assets match the description when completed', async () => {
    const created = await createAsset(service);
    const { pathname } = new URL(created.onComplete.url);
    await expectDescribed(api(pathname, json({}, allTokens)), 400);
    const { bucket: Bucket, prefix } = created.uploadLocation;
    const putCommand = new PutObjectCommand({ Bucket, Key: `${prefix}a`, Body: 'x' });
    await s3For(service, created.uploadLocation).send(putCommand);
    const wrongAnswer = await expectDescribed(api(pathname, json({ more: 1 }, allTokens)), 400);
    expect(description.wrongRequest(wrongAnswer)).not.toEqual([]);
    await expectDescribed(api(pathname, { headers: allTokens, body: '{}' }), 415);
    await expectDescribed(api(pathname, json(tooLarge, allTokens)), 413);
    await expectDescribed(api(pathname, { method: 'POST', headers: allTokens }), 204);
    await expectDescribed(api(pathname, json({}, allTokens)), 409);
    await expectDescribed(api('/v1/assets/1/uploadComplete', json({}, allTokens)), 404);
    const { assetMetadata } = created;
    await expectDescribed(api(`/v1/assets/${assetMetadata.id}`, { headers: allTokens }), 200);
  });

  it('assets match the description for strangers, missing scopes, other bodies and large ones', async () => {
    const paths = ['/v1/assets', '/v1/assets/1'].map((path) => [path, {}] as const);
    const posts = ['/v1/assets', '/v1/assets/1/uploadComplete'].map((path) => [path, json({})] as const);
    const geocode = bearer(service.control.makeAccessToken(['geocode']));
    for (const [path, request] of [...paths, ...posts]) {
      await expectDescribed(api(path, request), 401);
      await expectDescribed(
        api(path, { ...request, headers: { 'content-type': 'application/json', ...geocode } }),
        403,
      );
    }
    await expectDescribed(api('/v1/assets', { headers: allTokens, body: 'x' }), 415);
    await expectDescribed(create({ ...validBody, description: tooLarge }), 413);
  });
});

describe('contract 4.7: storage', () => {
  /** Uses the SDK, which defines the sent bytes and sees only part of the record. */
  function recordingClient({ uploadLocation }: Created): {
    readonly s3: S3Client;
    readonly seen: Exchanged[];
  } {
    const s3 = s3For(service, uploadLocation);
    const exchanges: Exchanged[] = [];
    const handler = s3.config.requestHandler;
    const handle = handler.handle.bind(handler);
    handler.handle = async (request, options) => {
      const answer = await handle(request, options);
      const { response } = answer;
      const pieces: Buffer[] = [];
      for await (const piece of response.body ?? []) pieces.push(piece);
      const bytes = Buffer.concat(pieces);
      response.body = new Blob([bytes]).stream();
      const query = new URLSearchParams(Object.entries(request.query as Record<string, string>));
      exchanges.push({
        method: request.method,
        path: `${request.path}?${query}`,
        body: { type: request.headers['content-type'] ?? '', text: String(request.body ?? '') },
        status: response.statusCode,
        headers: response.headers,
        text: bytes.toString('utf8'),
      });
      return answer;
    };
    return { s3, seen: exchanges };
  }

  it('storage matches the description', async () => {
    const created = await createAsset(service);
    const { s3, seen: exchanges } = recordingClient(created);
    const { bucket: Bucket, prefix } = created.uploadLocation;
    const place = { Bucket, Key: `${prefix}a.gml` };
    const otherPlace = { Bucket, Key: 'sources/1/a.gml' };
    const missingObject = { Bucket, Key: `${prefix}none` };
    await s3.send(new PutObjectCommand({ ...place, Body: 'whole' }));
    await s3.send(new GetObjectCommand(place));
    await s3.send(new HeadObjectCommand(place));
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand(place));
    const part = await s3.send(new UploadPartCommand({ ...place, UploadId, PartNumber: 1, Body: 'part' }));
    await s3.send(new ListPartsCommand({ ...place, UploadId }));
    const Parts = [{ PartNumber: 1, ETag: part.ETag }];
    await s3.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } }));
    const secondUpload = await s3.send(new CreateMultipartUploadCommand(place));
    const open = { ...place, UploadId: secondUpload.UploadId };
    const missingUpload = { ...place, UploadId: 'gone' };
    const refusedCalls = [
      new PutObjectCommand({ ...place, Body: 'x', ContentMD5: 'AAAAAAAAAAAAAAAAAAAAAA==' }),
      new PutObjectCommand({ ...otherPlace, Body: 'x' }),
      new UploadPartCommand({ ...missingUpload, PartNumber: 1, Body: 'x' }),
      new CompleteMultipartUploadCommand({
        ...open,
        MultipartUpload: { Parts: [{ PartNumber: 7, ETag: 'x' }] },
      }),
      new CreateMultipartUploadCommand(otherPlace),
      new CompleteMultipartUploadCommand({ ...missingUpload, MultipartUpload: { Parts } }),
      new GetObjectCommand(otherPlace),
      new GetObjectCommand(missingObject),
      new HeadObjectCommand(otherPlace),
      new HeadObjectCommand(missingObject),
      new AbortMultipartUploadCommand({ ...otherPlace, UploadId: 'gone' }),
      new AbortMultipartUploadCommand(missingUpload),
    ];
    for (const command of refusedCalls) await expect(s3.send(command as PutObjectCommand)).rejects.toThrow();
    await s3.send(new AbortMultipartUploadCommand(open));
    expect(exchanges).toHaveLength(21);
    expect(exchanges.flatMap((exchanged) => description.complaints(exchanged))).toEqual([]);
  });
});

it('the description contains only answers that these tests received', () => {
  expect(description.all().filter((answer) => !description.met().includes(answer))).toEqual([]);
});

it('the description rejects an undescribed status, type, header and field', async () => {
  const rightAnswer = await api('/v1/assets', json(validBody, allTokens));
  expect(description.complaints(rightAnswer)).toEqual([]);
  const wrongAnswers: readonly Partial<Exchanged>[] = [
    { status: 201 },
    { headers: { 'content-type': 'text/html' } },
    { text: rightAnswer.text.replace('"prefix"', '"folder"') },
    { text: rightAnswer.text.replace('"uploadLocation"', '"more":1,"uploadLocation"') },
    { path: '/v1/nothing' },
    { body: { type: 'application/json', text: '{}' } },
  ];
  for (const change of wrongAnswers)
    expect(description.complaints({ ...rightAnswer, ...change })).not.toEqual([]);
  const refusedAnswer = await api('/v1/assets');
  expect(description.complaints(refusedAnswer)).toEqual([]);
  const { 'www-authenticate': _, ...headers } = refusedAnswer.headers;
  expect(description.complaints({ ...refusedAnswer, headers })).toEqual([
    'listAssets 401 application/json: there is no WWW-Authenticate',
  ]);
});
