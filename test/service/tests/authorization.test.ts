import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedService } from '../model.ts';
import { allowInBrowser, denyInBrowser } from '../person.ts';
import { startEmbeddedService } from '../start-service.ts';
import { authorizationLink, call, makePkce, postJson, redirectUri, register } from './contract-client.ts';

let service: EmbeddedService;
let clientId: string;
beforeAll(async () => {
  service = await startEmbeddedService({ accountName: 'Vermessung & Söhne' });
  clientId = await register(service, 'Field <Uploader>');
});
afterAll(() => service.stop());

const link = (change: Readonly<Record<string, string | undefined>> = {}, id = clientId) =>
  authorizationLink(service, id, makePkce().challenge, change);
const queryOf = (address: string) => Object.fromEntries(new URL(address).searchParams);

describe('contract 4.1: the page', () => {
  it('the page: names the client, the account and the scopes, all escaped', async () => {
    const { status, text, headers } = await call(link({ scope: 'assets:list assets:write' }));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(text).toContain('Field &lt;Uploader&gt;');
    expect(text).toContain('Vermessung &amp; Söhne');
    expect(text).toContain('See the list of your assets');
    expect(text).toContain('Create, change and delete assets');
    expect(text).not.toContain('tiled data');
    expect(text).toMatch(/>Allow<\/button>/);
    expect(text).toMatch(/>Deny<\/button>/);
  });

  it('the page: runs no scripts, can’t be framed, and submits to the redirect URI only', async () => {
    const { text, headers } = await call(link());
    expect(text).not.toMatch(/<script|javascript:| on\w+=/i);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self' tilelift:;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('contract 4.1: the decision', () => {
  it.each(['simple', 'a b+c/d&e=f#g?h%20', 'ünï 🗺️ "quotes"', ''])(
    'the decision: returns a code and the exact state after Allow: %j',
    async (state) => {
      const address = await allowInBrowser(link({ state }));
      expect(address.startsWith(`${redirectUri}?`)).toBe(true);
      expect(queryOf(address)).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/), state });
    },
  );

  it('the decision: returns no state if none was sent', async () => {
    expect(queryOf(await allowInBrowser(link({ state: undefined })))).toEqual({ code: expect.any(String) });
  });

  it('the decision: returns access_denied and the state after Deny', async () => {
    const answer = queryOf(await denyInBrowser(link()));
    expect(answer).toMatchObject({ error: 'access_denied', state: 'opaque state' });
    expect(answer).not.toHaveProperty('code');
  });

  it('the decision: keeps the query of the registered redirect URI', async () => {
    const uri = 'http://localhost:9000/back?from=browser';
    const registration = await postJson(`${service.baseUrl}/oauth/register`, {
      client_name: 'Web',
      redirect_uris: [uri],
    });
    const address = await allowInBrowser(link({ redirect_uri: uri }, String(registration.body.client_id)));
    expect(queryOf(address)).toEqual({ from: 'browser', code: expect.any(String), state: 'opaque state' });
  });
});

describe('contract 4.1: the form', () => {
  const fieldsOf = (html: string) => {
    const fields = new URLSearchParams();
    for (const [, name = '', value = ''] of html.matchAll(/name="(request|csrf)" value="([^"]+)"/g)) {
      fields.set(name, value);
    }
    return fields;
  };
  const send = (form: URLSearchParams) =>
    call(`${service.authUrl}/oauth`, { method: 'POST', body: form.toString(), headers: formType });
  const formType = { 'content-type': 'application/x-www-form-urlencoded' };

  it('the form: refuses a missing token and one of another request', async () => {
    const firstForm = fieldsOf((await call(link())).text);
    const two = fieldsOf((await call(link())).text);
    firstForm.set('decision', 'allow');
    firstForm.set('csrf', two.get('csrf') ?? '');
    expect((await send(firstForm)).status).toBe(403);
    firstForm.delete('csrf');
    expect((await send(firstForm)).status).toBe(403);
  });

  it('the form decides once', async () => {
    const form = fieldsOf((await call(link())).text);
    form.set('decision', 'allow');
    expect((await send(form)).status).toBe(302);
    expect((await send(form)).status).toBe(403);
  });

  it('the form refuses unknown decisions', async () => {
    const form = fieldsOf((await call(link())).text);
    form.set('decision', 'maybe');
    expect((await send(form)).status).toBe(400);
  });
});

describe('contract 4.1, RFC 6749 4.1.2.1: errors that must not be redirected', () => {
  it.each([
    ['an unknown client', { client_id: 'dcr:nobody' }],
    ['no client', { client_id: undefined }],
    ['a redirect URI that is not registered', { redirect_uri: 'tilelift://oauth/other' }],
    ['a redirect URI that only begins like a registered one', { redirect_uri: `${redirectUri}/more` }],
    ['no redirect URI', { redirect_uri: undefined }],
  ])('errors that must not be redirected: shows a page with status 400 for %s', async (_, change) => {
    const answer = await call(link(change));
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.text).toContain('role="alert"');
    await expect(allowInBrowser(link(change))).rejects.toThrow('This did not work');
  });

  it('errors that must not be redirected: shows the page for a repeated redirect URI', async () => {
    expect((await call(`${link()}&redirect_uri=tilelift%3A%2F%2Fevil`)).status).toBe(400);
  });
});

describe('contract 4.1, RFC 6749 4.1.2.1: errors that go back to the client', () => {
  it.each([
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['another response_type', { response_type: 'token' }, 'unsupported_response_type'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['an unknown scope', { scope: 'assets:list assets:everything' }, 'invalid_scope'],
    ['geocode, which may not be asked for', { scope: 'geocode' }, 'invalid_scope'],
    ['no code_challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a code_challenge with padding', { code_challenge: `${'a'.repeat(43)}=` }, 'invalid_request'],
    ['no code_challenge_method', { code_challenge_method: undefined }, 'invalid_request'],
    ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
  ])('the authorization page redirects %s', async (_, change, error) => {
    const answer = await call(link(change));
    expect(answer.status).toBe(302);
    const location = answer.headers.get('location') ?? '';
    expect(location.startsWith(`${redirectUri}?`)).toBe(true);
    expect(queryOf(location)).toMatchObject({ error, state: 'opaque state' });
  });

  it('the authorization page redirects a repeated parameter', async () => {
    const answer = await call(`${link()}&scope=assets:list`);
    expect(queryOf(answer.headers.get('location') ?? '')).toMatchObject({ error: 'invalid_request' });
  });
});

it('the page of an asset shows the asset’s fields, and 404 for an unknown one', async () => {
  const id = service.control.seedAsset({ name: 'Roofs <1>', type: '3DTILES' });
  const { status, text } = await call(`${service.authUrl}/assets/${id}`);
  expect(status).toBe(200);
  expect(text).toContain('Roofs &lt;1&gt;');
  expect(text).toContain('COMPLETE');
  expect((await call(`${service.authUrl}/assets/1`)).status).toBe(404);
});
