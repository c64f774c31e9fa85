import * as oauth from 'oauth4webapi';
import { z } from 'zod';
import { type ErrorCode, TileliftError } from '../errors.ts';
import type { Answer } from '../service/error-answer.ts';
import { errorFromAnswer, remoteWords, unexpectedAnswer, withoutSecrets } from '../service/error-answer.ts';
import { type Network, sendRequest } from '../service/http-request.ts';
import { parseJson } from '../service/parse-json.ts';
import { isLoopback } from '../service/service-address.ts';
import { clientName, redirectUri } from './model.ts';
import { readTokenAnswer, type TokenAnswer } from './token-answer.ts';

/**
 * The service's OAuth endpoints (contract 4.2 to 4.4). `oauth4webapi` makes the requests and checks the answers; what the
 * contract leaves open (status, format, spelling) is settled here, before the library sees an answer, and nowhere else.
 */
export interface OAuthEndpoints {
  /**
   * Dynamic client registration (4.2, RFC 7591). Gives the client id.
   * @throws TileliftError `registration-failed` when refused, else what a failed request throws
   */
  register(signal?: AbortSignal): Promise<string>;
  /**
   * Code for tokens (4.3). The caller has compared the state already; the library compares it again.
   * @throws TileliftError `sign-in-failed` when refused, `client-unknown`, else what a failed request throws
   */
  exchangeCode(grant: CodeGrant, signal?: AbortSignal): Promise<TokenAnswer>;
  /**
   * Refresh token for tokens (4.4). Registers anew when the service has forgotten Tilelift, which gives the same client id.
   * @throws TileliftError `invalid-credentials` when refused, `client-unknown`, else what a failed request throws
   */
  refresh(clientId: string, refreshToken: string, signal?: AbortSignal): Promise<TokenAnswer>;
}

export interface CodeGrant {
  readonly clientId: string;
  readonly code: string;
  readonly verifier: string;
  readonly expectedState: string;
  readonly returnedState: string;
}

export function createOAuthEndpoints(baseUrl: string, network: Network): OAuthEndpoints {
  const server: oauth.AuthorizationServer = {
    issuer: baseUrl,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
  };
  const origin = new URL(baseUrl).origin;

  /** What the library needs to send a request our way. `read` gives the body that it will see, or null for none. */
  const through = (
    refusal: ErrorCode,
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
      const sent = String(init.body);
      const answer = await sendRequest(network, { method, url, headers, body: sent }, signal);
      refuse(withoutSecrets(answer, secretsIn(sent)), origin, refusal);
      const body = read(answer);
      if (!body) throw unexpectedAnswer(withoutSecrets(answer, secretsIn(sent)));
      return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
    },
  });

  async function register(signal?: AbortSignal): Promise<string> {
    const metadata = { client_name: clientName, redirect_uris: [redirectUri] };
    const options = through('registration-failed', 201, readClientId, signal);
    const response = await oauth.dynamicClientRegistrationRequest(server, metadata, options);
    return (await oauth.processDynamicClientRegistrationResponse(response)).client_id;
  }

  async function refresh(clientId: string, refreshToken: string, signal?: AbortSignal): Promise<TokenAnswer> {
    const client: oauth.Client = { client_id: clientId };
    const options = {
      ...through('invalid-credentials', 200, readTokens, signal),
      additionalParameters: { redirect_uri: redirectUri },
    };
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.None(),
      refreshToken,
      options,
    );
    return accept(() => oauth.processRefreshTokenResponse(server, client, response));
  }

  return {
    register,

    exchangeCode: async ({ clientId, code, verifier, expectedState, returnedState }, signal) => {
      const client: oauth.Client = { client_id: clientId };
      const returned = new URLSearchParams({ code, state: returnedState });
      const checked = oauth.validateAuthResponse(server, client, returned, expectedState);
      const options = through('sign-in-failed', 200, readTokens, signal);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        checked,
        redirectUri,
        verifier,
        options,
      );
      return accept(() => oauth.processAuthorizationCodeResponse(server, client, response));
    },

    refresh: async (clientId, refreshToken, signal) => {
      try {
        return await refresh(clientId, refreshToken, signal);
      } catch (error) {
        const forgotten = error instanceof TileliftError && error.code === 'client-unknown';
        const same = forgotten && clientId.startsWith('dcr:') && (await register(signal)) === clientId;
        if (!same) throw error;
        return refresh(clientId, refreshToken, signal);
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

/**
 * A refusal (4xx) ends what was asked, under the code that fits it; a busy or broken service does not. An answer that carries
 * no error of the service (contract 7, RFC 6749 5.2) and no status that means a refusal of the grant may come from something in
 * between, a proxy or a hotel's network: no sign-in is thrown away for that.
 */
function refuse(answer: Answer, origin: string, refusal: ErrorCode): void {
  const error = errorFromAnswer(answer, { origin });
  if (!error) return;
  const remote = remoteWords(answer);
  // Says nothing of the grant: a metadata document may just not have answered the service.
  if (refusal !== 'registration-failed' && isUnknownClient(remote.code)) {
    throw new TileliftError('client-unknown', { subject: origin, remote });
  }
  const refused = answer.status >= 400 && answer.status < 500 && ![408, 429].includes(answer.status);
  if (!refused) throw error;
  const clear = remote.code !== undefined || answer.status === 400 || answer.status === 401;
  throw refusal === 'invalid-credentials' && !clear
    ? unexpectedAnswer(answer)
    : new TileliftError(refusal, { subject: origin, remote });
}

/** `invalid_client` (RFC 6749 5.2), in whichever spelling. */
function isUnknownClient(code: string | undefined): boolean {
  return code?.toLowerCase().replaceAll('_', '') === 'invalidclient';
}

/** Values in a form body that nobody is to see, should the answer say them back. */
function secretsIn(body: string): readonly string[] {
  const form = new URLSearchParams(body);
  return ['code', 'code_verifier', 'refresh_token'].flatMap((name) => form.getAll(name));
}

/** What the library does not accept (a token type that is not bearer, say) is an answer that we do not understand. */
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
