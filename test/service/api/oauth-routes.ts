import { z } from 'zod';
import { hasRedirectUri } from '../account/client.ts';
import type { Clients } from '../account/clients.ts';
import { OAuthError } from '../account/oauth-error.ts';
import type { IssuedTokens, Tokens } from '../account/tokens.ts';
import type { Exchange } from '../http/exchange.ts';
import { Refusal } from '../http/refusal.ts';
import type { Route } from '../http/router.ts';
import type { ServiceSettings } from '../model.ts';
import { tokenFormat } from './accept.ts';

type TokenBehaviour = Pick<ServiceSettings, 'flow' | 'expiryNames' | 'beyondContract'>;

/** RFC 6749 5.1: responses with tokens must not be cached. */
const notStored = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/**
 * POST /oauth/register and POST /oauth/token (contract 4.2 to 4.4). No scopes, because no one is signed in
 * yet.
 */
export function oauthRoutes(
  clients: Clients,
  tokens: Tokens,
  behaviour: TokenBehaviour,
): readonly Route<undefined>[] {
  return [
    {
      method: 'POST',
      path: '/oauth/register',
      extra: undefined,
      handle: async (exchange) => {
        if (behaviour.flow === 'earlier')
          throw new Refusal(404, 'ResourceNotFound', 'Clients are registered in the dashboard only.');
        await register(exchange, clients);
      },
    },
    {
      method: 'POST',
      path: '/oauth/token',
      extra: undefined,
      handle: async (exchange) => giveTokens(exchange, clients, tokens, behaviour),
    },
  ];
}

async function register(exchange: Exchange, clients: Clients): Promise<void> {
  const { client, isNew } = clients.register(await exchange.readJson());
  // 200 if the client existed: the contract shows no status, so clients must accept both.
  exchange.json(isNew ? 201 : 200, {
    client_id: client.id,
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
}

async function giveTokens(
  exchange: Exchange,
  clients: Clients,
  tokens: Tokens,
  { flow, expiryNames, beyondContract }: TokenBehaviour,
): Promise<void> {
  const fields = await readFields(exchange);
  const need = (name: string): string => {
    const value = fields[name];
    if (value === undefined || value === '') throw new OAuthError('invalid_request', `${name} is required.`);
    return value;
  };
  const grantType = need('grant_type');
  const grantTypes = flow === 'earlier' ? ['authorization_code'] : ['authorization_code', 'refresh_token'];
  if (!grantTypes.includes(grantType)) {
    throw new OAuthError('unsupported_grant_type', `grant_type is ${grantTypes.join(' or ')}.`);
  }
  const clientId = need('client_id');
  const redirectUri = need('redirect_uri');
  const secret = need(grantType === 'refresh_token' ? 'refresh_token' : 'code');
  const isVerified = grantType === 'authorization_code' && (flow === 'current' || fields.code_verifier);
  const verifier = isVerified ? need('code_verifier') : undefined;
  // RFC 7636 4.1 requires 43 to 128 characters; the contract says nothing, and a public client sends 32.
  if (verifier !== undefined && !/^[A-Za-z0-9\-._~]{32,128}$/.test(verifier)) {
    throw new OAuthError('invalid_request', 'code_verifier is 32 to 128 unreserved characters.');
  }
  // Contract 5.1: checked at every token request.
  const client = await clients.find(clientId);
  if (!hasRedirectUri(client, redirectUri, beyondContract)) {
    throw new OAuthError('invalid_grant', 'redirect_uri is not one of the client’s.');
  }
  answer(
    exchange,
    grantType === 'refresh_token'
      ? tokens.refresh(secret, client.id, redirectUri)
      : tokens.redeemCode(secret, verifier, client.id, redirectUri),
    expiryNames,
  );
}

/** Values of a JSON body; the numeric client_id may be a number. */
const jsonFields = z.record(z.string(), z.unknown());

/** Fields of a JSON or form-encoded body (contract 4.3 shows neither). Throws OAuthError. */
async function readFields(exchange: Exchange): Promise<Readonly<Record<string, string>>> {
  const fields: Record<string, string> = {};
  const putField = (name: string, value: unknown) => {
    if (Object.hasOwn(fields, name)) throw new OAuthError('invalid_request', `${name} is there twice.`);
    if (typeof value === 'string' || (name === 'client_id' && Number.isInteger(value))) {
      fields[name] = String(value);
    } else throw new OAuthError('invalid_request', `${name} is not a string.`);
  };
  if (exchange.contentType() === 'application/x-www-form-urlencoded') {
    for (const [name, value] of new URLSearchParams((await exchange.readBody()).toString('utf8')))
      putField(name, value);
    return fields;
  }
  if (exchange.contentType() !== 'application/json') {
    throw new OAuthError('invalid_request', 'Send the body as JSON or form-encoded.');
  }
  const parsed = jsonFields.safeParse(await exchange.readJson());
  if (!parsed.success) throw new OAuthError('invalid_request', 'The body is not a JSON object.');
  for (const [name, value] of Object.entries(parsed.data)) putField(name, value);
  return fields;
}

/** The alternative spelling (contract 4.3), only in JSON. */
const otherNames: Readonly<Record<string, string>> = {
  expires_in: 'expiresIn',
  refresh_token_expires_in: 'refreshTokenExpiresIn',
};

function answer(exchange: Exchange, issued: IssuedTokens, expiryNames: TokenBehaviour['expiryNames']): void {
  const entries = Object.entries(issued).map(([name, value]): [string, string] => [name, String(value)]);
  const format = tokenFormat(exchange.header('accept'));
  if (format === 'json') {
    const fields = Object.entries(issued).map(([name, value]) => [
      (expiryNames === 'expiresIn' && otherNames[name]) || name,
      value,
    ]);
    exchange.json(200, Object.fromEntries(fields), notStored);
  } else if (format === 'xml') {
    // Values are base64url, digits and "bearer", so nothing needs escaping.
    const children = entries.map(([name, value]) => `<${name}>${value}</${name}>`).join('');
    const document = `<?xml version="1.0" encoding="UTF-8"?><OAuth>${children}</OAuth>`;
    exchange.send(200, 'application/xml; charset=utf-8', document, notStored);
  } else {
    const form = new URLSearchParams(entries).toString();
    exchange.send(200, 'application/x-www-form-urlencoded', form, notStored);
  }
}
