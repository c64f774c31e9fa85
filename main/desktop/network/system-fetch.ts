import { net, type Session } from 'electron';
import type { Fetch, NetworkWay, ProxyLogin } from '../../outside.ts';

/** A tunnel that does not come about is what Chromium says of a proxy that wants a password. */
const mayBeProxy = /ERR_(?:TUNNEL_CONNECTION_FAILED|PROXY_AUTH_\w+|UNEXPECTED_PROXY_AUTH)/;

/**
 * `fetch` through Chromium's network: the system's proxy and certificates count. Sends no cookies, keeps no
 * cache. `fetch` of a session can't answer a proxy that wants a password: then that is done apart, and the
 * request, which has not left the proxy, goes once more.
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

/**
 * Has Chromium signed in to the proxy on the way to an origin, which it then remembers for all requests: a
 * bare HEAD request whose only use is that question. Rejects with the signal's reason. False when the proxy
 * asked nothing or got no answer.
 */
function signInToProxy(
  session: Session,
  origin: string,
  ask: NetworkWay['askProxyLogin'],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    let given: ProxyLogin | null = null;
    const request = net.request({
      session,
      method: 'HEAD',
      url: origin,
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      bypassCustomProtocolHandlers: true,
    });
    const stop = () => {
      reject(signal?.reason);
      request.abort();
    };
    signal?.addEventListener('abort', stop, { once: true });
    const end = (signedIn: boolean) => {
      signal?.removeEventListener('abort', stop);
      resolve(signedIn);
    };
    request.on('login', ({ isProxy, host, port, realm }, answer) => {
      if (!isProxy) return answer();
      ask({ host: `${host}:${port}`, realm }, given).then((login) => {
        given = login;
        if (login) answer(login.username, login.password);
        else answer();
      }, reject);
    });
    request.on('response', (response) => {
      response.on('data', () => {});
      end(given !== null && response.statusCode !== 407);
    });
    // Beyond the proxy nothing may answer: the request itself then says so.
    request.on('error', () => end(given !== null));
    // What a redirect leads to is not wanted.
    request.on('redirect', () => {
      end(given !== null);
      request.abort();
    });
    request.end();
  });
}
