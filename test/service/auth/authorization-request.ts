import { type Client, hasRedirectUri } from '../account/client.ts';
import type { Clients } from '../account/clients.ts';
import { OAuthError } from '../account/oauth-error.ts';
import { parseScopes, type Scope } from '../account/scopes.ts';
import { Refusal } from '../http/refusal.ts';
import type { ServiceSettings } from '../model.ts';

/** Settings of the authorization page. */
export type SignInBehaviour = Pick<ServiceSettings, 'flow' | 'beyondContract' | 'signInPath'>;

/** A checked authorization request (contract 4.1). */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  /** Undefined without PKCE, which the earlier flow allows (part 9). */
  readonly challenge: string | undefined;
  /** Returned unchanged; undefined if the client sent none. */
  readonly state: string | undefined;
}

type Reading =
  | { readonly kind: 'good'; readonly request: AuthorizationRequest }
  /** The client and its address are valid, so the error goes there (RFC 6749 4.1.2.1). */
  | { readonly kind: 'redirect'; readonly location: string };

/**
 * Checks the authorization page's parameters. Throws a 400 Refusal for an unknown client or a foreign
 * redirect URI, which must never cause a redirect.
 */
export async function readAuthorizationRequest(
  query: URLSearchParams,
  clients: Clients,
  { flow, beyondContract }: SignInBehaviour,
): Promise<Reading> {
  const client = await findClient(singleValue(query, 'client_id'), clients);
  const redirectUri = singleValue(query, 'redirect_uri');
  if (redirectUri === undefined || !hasRedirectUri(client, redirectUri, beyondContract)) {
    throw new Refusal(
      400,
      'InvalidRedirectUri',
      `The address to return to is not one that ${client.name} registered.`,
    );
  }
  const state = query.get('state') ?? undefined;
  try {
    const request = { client, redirectUri, state, ...checkRest(query, flow, beyondContract) };
    return { kind: 'good', request };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return { kind: 'redirect', location: errorLocation(redirectUri, state, error) };
  }
}

async function findClient(id: string | undefined, clients: Clients): Promise<Client> {
  if (id === undefined) throw new Refusal(400, 'InvalidClient', 'The application did not say who it is.');
  try {
    return await clients.find(id);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    throw new Refusal(400, 'InvalidClient', `The application is not known here. ${error.message}`);
  }
}

function checkRest(
  query: URLSearchParams,
  flow: SignInBehaviour['flow'],
  beyondContract: boolean,
): Pick<AuthorizationRequest, 'scopes' | 'challenge'> {
  const parameterNames = ['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'];
  const repeatedName = parameterNames.find((name) => query.getAll(name).length > 1);
  if (repeatedName !== undefined) throw new OAuthError('invalid_request', `${repeatedName} is there twice.`);
  const responseType = query.get('response_type');
  if (!responseType) throw new OAuthError('invalid_request', 'response_type is required.');
  if (responseType !== 'code')
    throw new OAuthError('unsupported_response_type', 'response_type is always code.');
  const isPlain = !query.has('code_challenge') && !query.has('code_challenge_method');
  const challenge = flow === 'earlier' && isPlain ? undefined : readChallenge(query);
  const scopes = parseScopes(query.get('scope') ?? '', beyondContract);
  if (!scopes) {
    throw new OAuthError(
      'invalid_scope',
      'scope lists one or more of assets:list, assets:read, assets:write.',
    );
  }
  return { scopes, challenge };
}

function readChallenge(query: URLSearchParams): string {
  const challenge = query.get('code_challenge') ?? '';
  // Base64url of 32 bytes, without padding.
  if (!/^[A-Za-z0-9\-_]{43}$/.test(challenge)) {
    throw new OAuthError(
      'invalid_request',
      'code_challenge is required: base64url of a SHA-256, no padding.',
    );
  }
  if (query.get('code_challenge_method') !== 'S256') {
    throw new OAuthError('invalid_request', 'code_challenge_method is required and always S256.');
  }
  return challenge;
}

/** Value of a parameter that occurs exactly once. */
function singleValue(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
}

/** Redirect address with a code (contract 4.1). */
export function codeLocation(redirectUri: string, state: string | undefined, code: string): string {
  return withQuery(redirectUri, { code, state });
}

/** Redirect address with an error (RFC 6749 4.1.2.1). */
export function errorLocation(redirectUri: string, state: string | undefined, error: OAuthError): string {
  return withQuery(redirectUri, { error: error.error, error_description: error.message, state });
}

/** Appends to the registered address's query (RFC 6749 3.1.2). */
function withQuery(uri: string, values: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value.toWellFormed())}`],
  );
  return `${uri}${uri.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}
