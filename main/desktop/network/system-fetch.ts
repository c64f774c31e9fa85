import type { Session } from 'electron';
import type { Fetch, NetworkWay } from '../../outside.ts';
import { signInToProxy } from './proxy-sign-in.ts';

/** A tunnel that does not come about is what Chromium says of a proxy that wants a password. */
const mayBeProxy = /ERR_(?:TUNNEL_CONNECTION_FAILED|PROXY_AUTH_\w+|UNEXPECTED_PROXY_AUTH)/;

/**
 * `fetch` through Chromium's network: the system's proxy and certificates count. Sends no cookies, keeps no cache. `fetch` of a session can't answer a proxy that
 * wants a password: then that is done apart, and the request, which has not left the proxy, goes once more.
 */
export function createSystemFetch(session: () => Session, ask: NetworkWay['askProxyLogin']): Fetch {
  return async (input, init) => {
    const address = input instanceof URL ? input.href : input;
    const send = () =>
      session().fetch(address, {
        ...init,
        credentials: 'omit',
        cache: 'no-store',
        bypassCustomProtocolHandlers: true,
      });
    const signIn = () => signInToProxy(session(), new URL(address).origin, ask, init?.signal ?? undefined);
    let response: Response;
    try {
      response = await send();
    } catch (thrown) {
      if (!(thrown instanceof Error && mayBeProxy.test(thrown.message)) || !(await signIn())) throw thrown;
      return send();
    }
    return response.status === 407 && (await signIn()) ? send() : response;
  };
}
