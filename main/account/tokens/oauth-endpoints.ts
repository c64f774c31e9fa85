import * as oauth from 'oauth4webapi';
import { z } from 'zod';
import { TileliftError } from '../../errors.ts';
import type { Answer } from '../../service/answer.ts';
import { parseJson } from '../../service/answer.ts';
import { bodyNotUnderstood, type SignInRequest, signInMeaningOf } from '../../service/answer-meaning.ts';
import { remoteWords, unreadAnswer, withoutSecrets } from '../../service/error-answer.ts';
import { type HttpRequest, type Network, sendRequest } from '../../service/http-request.ts';
import { isSignInResponse } from '../../service/who-answered.ts';
import { clientName, redirectUri } from '../model/model.ts';
import {
  encodeTokenBody,
  readTokenAnswer,
  type TokenAnswer,
  type TokenBodies,
  type TokenBody,
} from './token-answer.ts';

/**
 * The OAuth endpoints (contract 4.2 to 4.4). Normalizes what the contract leaves open before `oauth4webapi`
 * checks it.
 */
export interface OAuthEndpoints {
  /**
   * Contract 4.2, RFC 7591. Returns the client ID.
   * @throws TileliftError `registration-failed`, or of a failed request
   */
  register(signal?: AbortSignal, loopbackUri?: string): Promise<string>;
  /**
   * Contract 4.3.
   * @throws TileliftError `sign-in-failed`, `client-unknown`, or of a failed request
   */
  exchangeCode(grant: CodeGrant, signal?: AbortSignal): Promise<TokenAnswer>;
  /**
   * Contract 4.4; registers again if the client was forgotten.
   * @throws TileliftError `invalid-credentials`, `client-unknown`, or of a failed request
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

/** A refresh must name both (contract 4.4). */
interface RefreshGrant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly refreshToken: string;
}

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

  /** Retries in the other encoding if it isn't understood. */
  async function sendTokenRequest(
    { method, url, headers, body: form }: HttpRequest & { readonly body: string },
    signal?: AbortSignal,
  ): Promise<Answer> {
    const firstBody = bodies.preferred(baseUrl);
    const send = (body: TokenBody) => {
      const { type, text } = encodeTokenBody(form, body);
      return sendRequest(
        network,
        { method, url, headers: { ...headers, 'content-type': type }, body: text },
        signal,
      );
    };
    const answer = await send(firstBody);
    if (!bodyNotUnderstood(answer)) return answer;
    const otherBody = firstBody === 'form' ? 'json' : 'form';
    const secondAnswer = await send(otherBody);
    // An intermediary's second answer must not hide the service's first.
    if (bodyNotUnderstood(secondAnswer) || !isTokenResponse(secondAnswer))
      return isTokenResponse(answer) ? answer : secondAnswer;
    bodies.understood(baseUrl, otherBody);
    return secondAnswer;
  }

  /** Routes the library's request through ours; `read` returns the body, or null. */
  const requestOptions = (
    request: SignInRequest,
    status: number,
    read: (answer: Answer) => object | null,
    signal?: AbortSignal,
  ) => ({
    [oauth.allowInsecureRequests]: baseUrl.startsWith('http:'),
    [oauth.customFetch]: async (
      url: string,
      init: { method: string; headers: Record<string, string>; body?: unknown },
    ) => {
      const { method, headers } = init;
      const redirect = { method, url, headers, body: String(init.body) };
      const rawAnswer = await (request === 'register'
        ? sendRequest(network, redirect, signal)
        : sendTokenRequest(redirect, signal));
      const answer = withoutSecrets(rawAnswer, secretsIn(redirect.body));
      const body = isRefused(answer, request) ? null : read(rawAnswer);
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
    const options = requestOptions('register', 201, readClientId, signal);
    const response = await oauth.dynamicClientRegistrationRequest(server, metadata, options);
    return (await oauth.processDynamicClientRegistrationResponse(response)).client_id;
  }

  async function refresh(grant: RefreshGrant, signal?: AbortSignal): Promise<TokenAnswer> {
    const client: oauth.Client = { client_id: grant.clientId };
    const options = {
      ...requestOptions('refresh', 200, readTokens, signal),
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
      { clientId, redirectUri: sentRedirectUri, code, verifier, expectedState, returnedState },
      signal,
    ) => {
      const client: oauth.Client = { client_id: clientId };
      const returnedParameters = new URLSearchParams({ code, state: returnedState });
      const checkedParameters = oauth.validateAuthResponse(server, client, returnedParameters, expectedState);
      const options = requestOptions('exchange', 200, readTokens, signal);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        checkedParameters,
        sentRedirectUri,
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
        const isClientUnknown = error instanceof TileliftError && error.code === 'client-unknown';
        const isSameClient =
          isClientUnknown &&
          clientId.startsWith('dcr:') &&
          (await register(signal, loopbackUri)) === clientId;
        if (!isSameClient) throw error;
        return refresh(grant, signal);
      }
    },
  };
}

/** Other fields could mislead the library's checks. */
function readClientId(answer: Answer): object | null {
  return z.object({ client_id: z.string().min(1) }).safeParse(parseJson(answer.text)).data ?? null;
}

function readTokens(answer: Answer): object | null {
  return readTokenAnswer(answer.text);
}

function isRefused(answer: Answer, request: SignInRequest): boolean {
  return signInMeaningOf(answer, request) !== null;
}

/** True if the service has understood the request. */
function isTokenResponse(answer: Answer): boolean {
  return isSignInResponse(answer) || readTokenAnswer(answer.text) !== null;
}

function inMemory(): TokenBodies {
  let preferredBody: TokenBody = 'form';
  return {
    preferred: () => preferredBody,
    understood: (_baseUrl, body) => {
      preferredBody = body;
    },
  };
}

/** Form values to redact if the response echoes them. */
function secretsIn(body: string): readonly string[] {
  const form = new URLSearchParams(body);
  return ['code', 'code_verifier', 'refresh_token'].flatMap((name) => form.getAll(name));
}

/** Reports the library's rejections as `unexpected-answer`. */
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
  } catch (error) {
    const cause = error instanceof Error ? error.message : error;
    throw new TileliftError('unexpected-answer', { cause });
  }
}
