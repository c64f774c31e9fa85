import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Tokens } from '../account/tokens.ts';
import { tokenFormat } from '../api/accept.ts';
import type { EmbeddedService } from '../model.ts';
import { startEmbeddedService } from '../start-service.ts';
import {
  askForTokens,
  authorize,
  bearer,
  call,
  codeFields,
  makePkce,
  redirectUri,
  register,
} from './contract-client.ts';

let service: EmbeddedService;
beforeAll(async () => {
  service = await startEmbeddedService({ accessTokenSeconds: 1000, refreshTokenSeconds: 2000 });
});
afterAll(() => service.stop());

const list = (token: unknown) => call(`${service.baseUrl}/v1/assets`, { headers: bearer(token) });
const signIn = async () => {
  const authorized = await authorize(service);
  const { body } = await askForTokens(service, codeFields(authorized));
  return { clientId: authorized.clientId, authorized, body };
};
const refreshFields = (clientId: string, refreshToken: unknown) => ({
  grant_type: 'refresh_token',
  client_id: clientId,
  refresh_token: refreshToken,
  redirect_uri: redirectUri,
});

describe('contract 4.3: the authorization_code grant', () => {
  it('the authorization_code grant: returns the fields of 2.7 and a working bearer token', async () => {
    const { body } = await signIn();
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      refresh_token: expect.any(String),
      expires_in: 1000,
      refresh_token_expires_in: 2000,
    });
    expect((await list(body.access_token)).status).toBe(200);
  });

  it.each(['grant_type', 'client_id', 'code', 'redirect_uri', 'code_verifier'])(
    'the authorization_code grant requires %s',
    async (name) => {
      const fields = { ...codeFields(await authorize(service)), [name]: undefined };
      const answer = await askForTokens(service, fields);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ error: 'invalid_request', code: 'InvalidRequest' });
      expect(answer.body.message).toBe(answer.body.error_description);
    },
  );

  it('the authorization_code grant: refuses another verifier, another redirect URI, another client', async () => {
    const otherClient = await register(service, 'Another app');
    const changes = [
      { code_verifier: makePkce().verifier },
      { redirect_uri: 'tilelift://elsewhere' },
      { client_id: otherClient },
    ];
    for (const change of changes) {
      const answer = await askForTokens(service, { ...codeFields(await authorize(service)), ...change });
      expect(answer.status).toBe(400);
      expect(answer.body.error).toBe('invalid_grant');
    }
  });

  it.each([
    [31, 'invalid_request'],
    [32, 'invalid_grant'],
    [128, 'invalid_grant'],
    [129, 'invalid_request'],
  ])(
    'the authorization_code grant: accepts verifiers of 32 to 128 characters: one of %i is %s',
    async (length, error) => {
      const fields = codeFields(await authorize(service));
      const answer = await askForTokens(service, { ...fields, code_verifier: 'v'.repeat(length) });
      expect(answer.body.error).toBe(error);
    },
  );

  it('the authorization_code grant: refuses an unknown client and an unknown grant type', async () => {
    const fields = codeFields(await authorize(service));
    expect((await askForTokens(service, { ...fields, client_id: 'dcr:nobody' })).body.error).toBe(
      'invalid_client',
    );
    expect((await askForTokens(service, { ...fields, grant_type: 'password' })).body.error).toBe(
      'unsupported_grant_type',
    );
  });

  it('the authorization_code grant: accepts a code once: a second use fails and revokes the first tokens', async () => {
    const { authorized, body, clientId } = await signIn();
    const secondAnswer = await askForTokens(service, codeFields(authorized));
    expect(secondAnswer.status).toBe(400);
    expect(secondAnswer.body.error).toBe('invalid_grant');
    expect((await list(body.access_token)).status).toBe(401);
    const refreshed = await askForTokens(service, refreshFields(clientId, body.refresh_token));
    expect(refreshed.body.error).toBe('invalid_grant');
  });
});

describe('contract 4.3: the format of the answer', () => {
  it.each([
    ['application/json', 'json'],
    ['application/xml', 'xml'],
    ['APPLICATION/JSON; charset=utf-8', 'json'],
    ['application/json, application/xml', 'json'],
    ['application/json;q=0.2, application/xml;q=0.9', 'xml'],
    ['application/json, text/plain, */*', 'json'],
    ['application/*', 'json'],
    ['application/*, application/json;q=0', 'xml'],
    ['application/json;q=0.5, */*', 'json'],
    ['application/xml, */*;q=0.1', 'xml'],
    ['application/json;q=0', 'form'],
    ['application/x-www-form-urlencoded', 'form'],
    ['text/xml', 'form'],
    ['*/*', 'json'],
    [undefined, 'json'],
  ])('the format of the answer: answers Accept %j with %s', (accept, format) => {
    expect(tokenFormat(accept)).toBe(format);
  });
});

describe('contract 4.4: the refresh_token grant', () => {
  it('the refresh_token grant: returns a new pair with the same scope and spends the old refresh token', async () => {
    const authorized = await authorize(service, undefined, { scope: 'assets:list' });
    const firstTokens = (await askForTokens(service, codeFields(authorized))).body;
    const fields = refreshFields(authorized.clientId, firstTokens.refresh_token);
    const secondTokens = (await askForTokens(service, fields)).body;
    expect(secondTokens.access_token).not.toBe(firstTokens.access_token);
    expect(secondTokens.refresh_token).not.toBe(firstTokens.refresh_token);
    expect((await list(secondTokens.access_token)).status).toBe(200);
    const id = service.control.seedAsset({ name: 'x', type: 'IMAGERY' });
    const read = await call(`${service.baseUrl}/v1/assets/${id}`, {
      headers: bearer(secondTokens.access_token),
    });
    expect(read.status).toBe(403);
    expect((await askForTokens(service, fields)).body.error).toBe('invalid_grant');
  });

  it.each(['client_id', 'refresh_token', 'redirect_uri'])(
    'the refresh_token grant requires %s',
    async (name) => {
      const { clientId, body } = await signIn();
      const fields = { ...refreshFields(clientId, body.refresh_token), [name]: undefined };
      expect((await askForTokens(service, fields)).body.error).toBe('invalid_request');
    },
  );

  it('the refresh_token grant: refuses another client and another redirect URI, and keeps the token usable', async () => {
    const { clientId, body } = await signIn();
    const fields = refreshFields(clientId, body.refresh_token);
    const otherClient = await register(service, 'Another app');
    expect((await askForTokens(service, { ...fields, client_id: otherClient })).body.error).toBe(
      'invalid_grant',
    );
    const otherFields = { ...fields, redirect_uri: 'tilelift://elsewhere' };
    expect((await askForTokens(service, otherFields)).body.error).toBe('invalid_grant');
    expect((await askForTokens(service, fields)).status).toBe(200);
  });

  it('the refresh_token grant: works after the access token expired and stops once refresh tokens are revoked', async () => {
    const { clientId, body } = await signIn();
    service.control.expireAccessTokens();
    expect((await list(body.access_token)).body.code).toBe('InvalidCredentials');
    const refreshed = await askForTokens(service, refreshFields(clientId, body.refresh_token));
    expect((await list(refreshed.body.access_token)).status).toBe(200);
    service.control.revokeRefreshTokens();
    const refusedAnswer = await askForTokens(service, refreshFields(clientId, refreshed.body.refresh_token));
    expect(refusedAnswer.body.error).toBe('invalid_grant');
  });
});

const grant = { clientId: 'c', redirectUri, scopes: ['assets:list'] as const, account: '' };
const tokenLives = {
  codeSeconds: 60,
  accessTokenSeconds: 100,
  refreshTokenSeconds: 200,
  flow: 'current' as const,
};

describe('contract 3.3: lifetimes', () => {
  it('lifetimes end to the millisecond', () => {
    let now = 0;
    const tokens = new Tokens(tokenLives, () => now);
    const { verifier, challenge } = makePkce();
    const code = tokens.issueCode(grant, challenge);
    const lateCode = tokens.issueCode(grant, challenge);
    now = 59_999;
    const issued = tokens.redeemCode(code, verifier, 'c', redirectUri);
    now = 60_000;
    expect(() => tokens.redeemCode(lateCode, verifier, 'c', redirectUri)).toThrow('expired');
    now = 159_998;
    expect(tokens.holderOf(issued.access_token)?.scopes).toEqual(['assets:list']);
    now = 159_999;
    expect(tokens.holderOf(issued.access_token)).toBeUndefined();
    now = 259_998;
    const renewed = tokens.refresh(issued.refresh_token ?? '', 'c', redirectUri);
    now = 459_998;
    expect(() => tokens.refresh(renewed.refresh_token ?? '', 'c', redirectUri)).toThrow('expired');
  });
});
