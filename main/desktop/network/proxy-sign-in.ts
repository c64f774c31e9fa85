import { net, type Session } from 'electron';
import type { NetworkWay, ProxyLogin } from '../../outside.ts';

/**
 * Has Chromium signed in to the proxy on the way to an origin, which it then remembers for all requests: a bare HEAD request whose only use is that question.
 * Rejects with the signal's reason. False when the proxy asked nothing or got no answer.
 */
export function signInToProxy(
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
