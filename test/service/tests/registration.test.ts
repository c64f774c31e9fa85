import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedService } from '../model.ts';
import { allowInBrowser } from '../person.ts';
import { startEmbeddedService } from '../start-service.ts';
import {
  askForTokens,
  authorizationLink,
  authorize,
  call,
  codeFields,
  makePkce,
  postJson,
  redirectUri,
} from './contract-client.ts';

let service: EmbeddedService;
beforeAll(async () => {
  service = await startEmbeddedService({
    dashboardClients: [{ id: 4711, name: 'Dashboard app', redirectUris: [redirectUri] }],
  });
});
afterAll(() => service.stop());

const register = (body: unknown) => postJson(`${service.baseUrl}/oauth/register`, body);

describe('contract 4.2: dynamic client registration', () => {
  const body = { client_name: 'Survey Tool', redirect_uris: ['tilelift://a', 'http://localhost:1/'] };

  it('dynamic client registration: issues an ID with the prefix dcr: without a login', async () => {
    const answer = await register(body);
    expect(answer.status).toBe(201);
    expect(answer.body.client_id).toMatch(/^dcr:./);
    expect(answer.body).not.toHaveProperty('client_secret');
  });

  it('dynamic client registration: returns the existing ID for the same name and redirect URIs in any order', async () => {
    const firstAnswer = await register(body);
    const secondAnswer = await register({ ...body, redirect_uris: [...body.redirect_uris].reverse() });
    expect(secondAnswer.status).toBe(200);
    expect(secondAnswer.body.client_id).toBe(firstAnswer.body.client_id);
  });

  it('dynamic client registration: issues another ID for another name or other redirect URIs', async () => {
    const ids = new Set<unknown>();
    for (const change of [{}, { client_name: 'Other' }, { redirect_uris: ['tilelift://a'] }]) {
      ids.add((await register({ ...body, ...change })).body.client_id);
    }
    expect(ids.size).toBe(3);
  });

  it('dynamic client registration: returns the same ID after a restart', async () => {
    const original = await register(body);
    const otherService = await startEmbeddedService();
    const answerAfter = await postJson(`${otherService.baseUrl}/oauth/register`, body);
    await otherService.stop();
    expect(answerAfter.body.client_id).toBe(original.body.client_id);
  });

  it.each([
    ['no name', { redirect_uris: ['tilelift://a'] }],
    ['an empty name', { client_name: ' ', redirect_uris: ['tilelift://a'] }],
    ['no redirect URIs', { client_name: 'x' }],
    ['an empty list of redirect URIs', { client_name: 'x', redirect_uris: [] }],
    ['redirect URIs that are no list', { client_name: 'x', redirect_uris: 'tilelift://a' }],
    ['a relative redirect URI', { client_name: 'x', redirect_uris: ['/callback'] }],
    ['a redirect URI with a fragment', { client_name: 'x', redirect_uris: ['https://a/#b'] }],
    ['a redirect URI with a line break', { client_name: 'x', redirect_uris: ['https://a/\nb'] }],
    ['a script as redirect URI', { client_name: 'x', redirect_uris: ['javascript:alert(1)'] }],
    ['no object', []],
  ])('dynamic client registration: refuses %s with 400, code and message', async (_, wrongFields) => {
    const answer = await register(wrongFields);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    expect(answer.body.error).toMatch(/^invalid_(client_metadata|redirect_uri)$/);
  });

  it('dynamic client registration accepts POST only', async () => {
    const answer = await call(`${service.baseUrl}/oauth/register`);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
  });
});

describe('contract 2.6: dashboard clients', () => {
  it('dashboard clients sign in with a numeric ID, as text or as a number in JSON', async () => {
    const firstSignIn = await authorize(service, '4711');
    expect((await askForTokens(service, codeFields(firstSignIn))).status).toBe(200);
    const secondSignIn = await authorize(service, '4711');
    expect((await askForTokens(service, { ...codeFields(secondSignIn), client_id: 4711 })).status).toBe(200);
  });
});

describe('contract 2.6, 5.1: client metadata documents', () => {
  let served: { status: number; body: string };
  let fetches = 0;
  let documentUrl: string;
  const host = createServer((_, response) => {
    fetches += 1;
    response.writeHead(served.status, { 'content-type': 'application/json' }).end(served.body);
  });
  const document = (change: object = {}) => ({
    status: 200,
    body: JSON.stringify({
      client_id: documentUrl,
      client_name: 'Hosted app',
      redirect_uris: [redirectUri],
      ...change,
    }),
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    documentUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}/client.json`;
  });
  afterAll(() => new Promise((resolve) => host.close(resolve)));

  it('client metadata documents sign in, fetched at the authorization and at the token request', async () => {
    served = document();
    fetches = 0;
    const authorized = await authorize(service, documentUrl);
    expect(fetches).toBe(1);
    const tokens = await askForTokens(service, codeFields(authorized));
    expect(tokens.status).toBe(200);
    expect(fetches).toBe(2);
  });

  it('client metadata documents fail the token request if they have disappeared', async () => {
    served = document();
    const authorized = await authorize(service, documentUrl);
    served = { status: 404, body: '' };
    const tokens = await askForTokens(service, codeFields(authorized));
    expect(tokens.status).toBe(401);
    expect(tokens.body.error).toBe('invalid_client');
  });

  it.each([
    ['names another client_id', () => document({ client_id: 'https://elsewhere.example/client.json' })],
    ['does not list the redirect URI', () => document({ redirect_uris: ['tilelift://other'] })],
    ['has no name', () => document({ client_name: undefined })],
    ['is no JSON', () => ({ status: 200, body: '<html>' })],
  ])('client metadata documents show an error page if the document %s', async (_, makeDocument) => {
    served = makeDocument();
    const answer = await call(authorizationLink(service, documentUrl, makePkce().challenge));
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
  });

  it('client metadata documents require https except on loopback', async () => {
    const link = authorizationLink(service, 'http://client.example/client.json', makePkce().challenge);
    await expect(allowInBrowser(link)).rejects.toThrow(/not known/);
  });
});
