import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * - `strict`: a refresh token is only valid once.
 * - `lenient`: the old token stays valid until the first use of the new one, so a lost response costs nothing
 * (RFC 9700 4.14.2).
 */
export type Rotation = 'strict' | 'lenient';

/** Only a service's token endpoint and list of assets, to test two generations of refresh tokens. */
export async function startRotatingService(rotation: Rotation) {
  let acceptedTokens = ['refresh-0000'];
  let bearer = 'access-0000';
  let generation = 0;
  let holdBack = false;
  const refreshes: { readonly token: string; readonly status: number }[] = [];

  function refresh(token: string): { status: number; body: object } {
    if (!acceptedTokens.includes(token)) return { status: 400, body: { error: 'invalid_grant' } };
    generation += 1;
    bearer = `access-000${generation}`;
    const nextToken = `refresh-000${generation}`;
    acceptedTokens = rotation === 'strict' ? [nextToken] : [token, nextToken];
    const body = { access_token: bearer, token_type: 'bearer', refresh_token: nextToken, expires_in: 3600 };
    return { status: 200, body };
  }

  const server = createServer(async (request, response) => {
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    let text = '';
    for await (const chunk of request) text += chunk;
    if (request.url === '/oauth/register') return answer(200, { client_id: 'dcr:1' });
    if (request.url === '/oauth/token') {
      const token = new URLSearchParams(text).get('refresh_token') ?? '';
      const { status, body } = refresh(token);
      refreshes.push({ token, status });
      // The token is used, but its response never arrives, as with a kill before the response.
      return holdBack ? undefined : answer(status, body);
    }
    if (request.headers.authorization === `Bearer ${bearer}`) return answer(200, { items: [] });
    return answer(401, { code: 'InvalidCredentials', message: 'The access token is invalid.' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    baseUrl: `http://127.0.0.1:${port}`,
    accepted: (): readonly string[] => acceptedTokens,
    refreshes: (): readonly { readonly token: string; readonly status: number }[] => refreshes,
    expireAccessToken: () => {
      bearer = 'ended';
    },
    holdAnswersBack: (isHeld: boolean) => {
      holdBack = isHeld;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
