import * as oauth from 'oauth4webapi';
import { z } from 'zod';
import { TileliftError } from '../errors.ts';
import type { Answer } from '../service/answer.ts';
import { parseJson } from '../service/answer.ts';
import { bodyNotUnderstood, type SignInRequest, signInMeaningOf } from '../service/answer-meaning.ts';
import { remoteWords, unreadAnswer, withoutSecrets } from '../service/error-answer.ts';
import { type HttpRequest, type Network, sendRequest } from '../service/http-request.ts';
import { isLoopback } from '../service/service-address.ts';
import { speaksForSignIn } from '../service/who-answered.ts';
import { clientName, redirectUri } from './model.ts';
import {
  encodeTokenBody,
  readTokenAnswer,
  type TokenAnswer,
  type TokenBodies,
  type TokenBody,
} from './tokens/token-answer.ts';

/**
 * The service's OAuth endpoints (contract 4.2 to 4.4). `oauth4webapi` makes the requests and checks the
 * answers; what the contract leaves open (status, format, spelling) is settled here, before the library sees
 * an answer, and nowhere else.
 */
export interface OAuthEndpoints {
  /**
   * Dynamic client registration (4.2, RFC 7591), with a loopback address beside our scheme's where one is
   * given. Gives the client id.
   * @throws TileliftError `registration-failed` when refused, else what a failed request throws
   */
  register(signal?: AbortSignal, loopbackUri?: string): Promise<string>;
  /**
   * Code for tokens (4.3). The caller has compared the state already; the library compares it again.
   * @throws TileliftError `sign-in-failed` when refused, `client-unknown`, else what a failed request throws
   */
  exchangeCode(grant: CodeGrant, signal?: AbortSignal): Promise<TokenAnswer>;
  /**
   * Refresh token for tokens (4.4). Registers again when the service has forgotten Tilelift, which gives the
   * same client id.
   * @throws TileliftError `invalid-credentials` when refused, `client-unknown`, else what a failed request
   *   throws
   */
  refresh(grant: RefreshGrant, signal?: AbortSignal): Promise<TokenAnswer>;
}

interface CodeGrant {
  readonly clientId: string;
  /** The one of the authorization request. */
  readonly redirectUri: string;
  readonly code: string;
  readonly verifier: string;
  readonly expectedState: string;
  readonly returnedState: string;
}

/** A refresh names the client and the redirect address of the sign-in (contract 4.4). */
interface RefreshGrant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly refreshToken: string;
}

/**
 * `bodies`: which encoding of token requests services take; without it each set of endpoints finds out again.
 */
export function createOAuthEndpoints(
  baseUrl: string,
  network: Network,
  bodies: TokenBodies = inMemory(),
): OAuthEndpoints {
  const server: oauth.AuthorizationServer = {
    issuer: baseUrl,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
  };
  const origin = new URL(baseUrl).origin;

  /**
   * A token request in the encoding that the service takes; where it fails to understand, in the other one.
   */
  async function sendTokenRequest(
    { method, url, headers, body: form }: HttpRequest & { readonly body: string },
    signal?: AbortSignal,
  ): Promise<Answer> {
    const first = bodies.at(baseUrl);
    const send = (body: TokenBody) => {
      const { type, text } = encodeTokenBody(form, body);
      return sendRequest(
        network,
        { method, url, headers: { ...headers, 'content-type': type }, body: text },
        signal,
      );
    };
    const answer = await send(first);
    if (!bodyNotUnderstood(answer)) return answer;
    const second = first === 'form' ? 'json' : 'form';
    const other = await send(second);
    // Someone else's word on the second try must not hide what was said on the first.
    if (bodyNotUnderstood(other) || !speaksForTokens(other)) return speaksForTokens(answer) ? answer : other;
    bodies.understood(baseUrl, second);
    return other;
  }

  /**
   * What the library needs to send a request our way. `read` gives the body it will see, or null for none.
   */
  const through = (
    request: SignInRequest,
    status: number,
    read: (answer: Answer) => object | null,
    signal?: AbortSignal,
  ) => ({
    [oauth.allowInsecureRequests]: isLoopback(baseUrl),
    [oauth.customFetch]: async (
      url: string,
      init: { method: string; headers: Record<string, string>; body?: unknown },
    ) => {
      const { method, headers } = init;
      const sent = { method, url, headers, body: String(init.body) };
      const raw = await (request === 'register'
        ? sendRequest(network, sent, signal)
        : sendTokenRequest(sent, signal));
      const answer = withoutSecrets(raw, secretsIn(sent.body));
      const body = isRefused(answer, request) ? null : read(raw);
      if (!body) throw failure(answer, request);
      return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
    },
  });

  function failure(answer: Answer, request: SignInRequest): TileliftError {
    const code = signInMeaningOf(answer, request);
    if (!code) return unreadAnswer(answer, origin);
    return new TileliftError(code, { subject: origin, remote: remoteWords(answer) });
  }

  async function register(signal?: AbortSignal, loopbackUri?: string): Promise<string> {
    const redirects = loopbackUri === undefined ? [redirectUri] : [redirectUri, loopbackUri];
    const metadata = { client_name: clientName, redirect_uris: redirects };
    const options = through('register', 201, readClientId, signal);
    const response = await oauth.dynamicClientRegistrationRequest(server, metadata, options);
    return (await oauth.processDynamicClientRegistrationResponse(response)).client_id;
  }

  async function refresh(grant: RefreshGrant, signal?: AbortSignal): Promise<TokenAnswer> {
    const client: oauth.Client = { client_id: grant.clientId };
    const options = {
      ...through('refresh', 200, readTokens, signal),
      additionalParameters: { redirect_uri: grant.redirectUri },
    };
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.None(),
      grant.refreshToken,
      options,
    );
    return accept(() => oauth.processRefreshTokenResponse(server, client, response));
  }

  return {
    register,

    exchangeCode: async (
      { clientId, redirectUri: sent, code, verifier, expectedState, returnedState },
      signal,
    ) => {
      const client: oauth.Client = { client_id: clientId };
      const returned = new URLSearchParams({ code, state: returnedState });
      const checked = oauth.validateAuthResponse(server, client, returned, expectedState);
      const options = through('exchange', 200, readTokens, signal);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        checked,
        sent,
        verifier,
        options,
      );
      return accept(() => oauth.processAuthorizationCodeResponse(server, client, response));
    },

    refresh: async (grant, signal) => {
      const { clientId } = grant;
      const loopbackUri = grant.redirectUri === redirectUri ? undefined : grant.redirectUri;
      try {
        return await refresh(grant, signal);
      } catch (error) {
        const forgotten = error instanceof TileliftError && error.code === 'client-unknown';
        const same =
          forgotten && clientId.startsWith('dcr:') && (await register(signal, loopbackUri)) === clientId;
        if (!same) throw error;
        return refresh(grant, signal);
      }
    },
  };
}

/** Only what the contract shows: other fields could mislead the library's checks. */
function readClientId(answer: Answer): object | null {
  return z.object({ client_id: z.string().min(1) }).safeParse(parseJson(answer.text)).data ?? null;
}

function readTokens(answer: Answer): object | null {
  return readTokenAnswer(answer.text);
}

/** Anything but a success whose body may be read. */
function isRefused(answer: Answer, request: SignInRequest): boolean {
  return signInMeaningOf(answer, request) !== null;
}

/** An error of OAuth, or tokens: the service has read what was sent. */
function speaksForTokens(answer: Answer): boolean {
  return speaksForSignIn(answer) || readTokenAnswer(answer.text) !== null;
}

function inMemory(): TokenBodies {
  let known: TokenBody = 'form';
  return {
    at: () => known,
    understood: (_baseUrl, body) => {
      known = body;
    },
  };
}

/** Values in a form body that nobody is to see, should the answer say them back. */
function secretsIn(body: string): readonly string[] {
  const form = new URLSearchParams(body);
  return ['code', 'code_verifier', 'refresh_token'].flatMap((name) => form.getAll(name));
}

/**
 * What the library does not accept (a token type other than bearer) is an answer that we do not understand.
 */
async function accept(process: () => Promise<oauth.TokenEndpointResponse>): Promise<TokenAnswer> {
  try {
    const answer = await process();
    const refreshEnds = answer.refresh_token_expires_in;
    return {
      access_token: answer.access_token,
      token_type: answer.token_type,
      ...(answer.refresh_token === undefined ? {} : { refresh_token: answer.refresh_token }),
      ...(answer.expires_in === undefined ? {} : { expires_in: answer.expires_in }),
      ...(typeof refreshEnds === 'number' ? { refresh_token_expires_in: refreshEnds } : {}),
    };
  } catch (thrown) {
    const cause = thrown instanceof Error ? thrown.message : thrown;
    throw new TileliftError('unexpected-answer', { cause });
  }
}
