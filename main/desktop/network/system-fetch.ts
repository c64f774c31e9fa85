import { net, type Session } from 'electron';
import type { Fetch, NetworkWay, ProxyLogin } from '../../ports.ts';

/** Chromium reports this if a proxy requires a password. */
const mayBeProxy = /ERR_(?:TUNNEL_CONNECTION_FAILED|PROXY_AUTH_\w+|UNEXPECTED_PROXY_AUTH)/;

/**
 * Uses the system's proxy and certificates, no cookies or cache. A session's `fetch` can't answer proxy
 * logins: they are done separately, and the request, which the proxy kept, is repeated.
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
    } catch (error) {
      if (!(error instanceof Error && mayBeProxy.test(error.message)) || !(await signIn())) throw error;
      return send();
    }
    return response.status === 407 && (await signIn()) ? send() : response;
  };
}

/**
 * A HEAD request signs Chromium in for all later ones. False without a login. Rejects with the signal's
 * reason.
 */
function signInToProxy(
  session: Session,
  origin: string,
  ask: NetworkWay['askProxyLogin'],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    let sentLogin: ProxyLogin | null = null;
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
    const end = (isSignedIn: boolean) => {
      signal?.removeEventListener('abort', stop);
      resolve(isSignedIn);
    };
    request.on('login', ({ isProxy, host, port, realm }, answer) => {
      if (!isProxy) return answer();
      ask({ host: `${host}:${port}`, realm }, sentLogin).then((login) => {
        sentLogin = login;
        if (login) answer(login.username, login.password);
        else answer();
      }, reject);
    });
    request.on('response', (response) => {
      response.on('data', () => {});
      end(sentLogin !== null && response.statusCode !== 407);
    });
    // The actual request shows errors beyond the proxy.
    request.on('error', () => end(sentLogin !== null));
    // Don't follow redirects.
    request.on('redirect', () => {
      end(sentLogin !== null);
      request.abort();
    });
    request.end();
  });
}
