import type { CallAnswer } from './storage-answer.ts';
import { StorageError, type StorageFault } from './storage-error.ts';

/**
 * What a request that got no whole answer ran into. With several addresses for one host Node throws an
 * `AggregateError`, whose first error says what happened.
 */
export function networkFault(thrown: unknown): StorageFault {
  if (thrown instanceof StorageError) return thrown.fault;
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return networkFault(thrown.errors[0]);
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
  return { ...(code ? { code } : {}), ...(thrown.message ? { message: thrown.message } : {}) };
}

/** The proxy wants a user name and password, or others than it was given (RFC 9110 15.5.8). */
function proxyAsks(challenge: string | readonly string[] | undefined): StorageError {
  return new StorageError({ code: 'ProxyAuthentication', message: String(challenge ?? '') });
}

/** The same in an answer, whoever gave it. Null: it asks for none. */
export function proxyAsksIn({
  status,
  headers,
}: Pick<CallAnswer, 'status' | 'headers'>): StorageError | null {
  return status === 407 ? proxyAsks(headers['proxy-authenticate']) : null;
}

/** No connection through it: it can't be reached, or does not speak as a proxy does. Another may work. */
export function proxyGone(proxy: URL, why: string): StorageError {
  return new StorageError({
    code: 'ProxyUnreachable',
    message: `${why} at ${proxy.host}`,
    proxy: proxy.host,
  });
}

/** It answers, and lets nothing through: another would be a way around what it was told to refuse. */
function proxyRefuses(proxy: URL, message: string): StorageError {
  return new StorageError({ code: 'ProxyRefused', message, proxy: proxy.host });
}

/**
 * What went wrong with the proxy itself rather than beyond it; null when the error is about something else.
 * `connected`: the way to storage stood already.
 */
export function proxyFault(error: Error, proxy: URL, connected: boolean): StorageError | null {
  // With several addresses for one host.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return null;
  const code = 'code' in first ? String(first.code) : '';
  if (code === 'ERR_PROXY_TUNNEL') {
    const status = 'statusCode' in first ? first.statusCode : undefined;
    // Some answer a wrong password with 401; whatever answers CONNECT is the proxy.
    if (status === 407 || status === 401) return proxyAsks(undefined);
    return status === undefined
      ? proxyGone(proxy, 'No tunnel')
      : proxyRefuses(proxy, `${proxy.host} answered ${status}.`);
  }
  // Over a proxy nothing else is ever connected to: whatever keeps a connection from coming about is the
  // proxy's.
  const connecting = 'syscall' in first && (first.syscall === 'connect' || first.syscall === 'getaddrinfo');
  return connecting || (!connected && code === 'ECONNRESET') ? proxyGone(proxy, code) : null;
}

/** What the library for SOCKS says, in words alone, of a handshake that failed. */
export function socksFault(error: Error, proxy: URL): StorageError {
  const { message } = error;
  const refusal = () => proxyRefuses(proxy, `${message} at ${proxy.host}`);
  if (/authentication failed/i.test(message)) return proxyAsks(undefined);
  // With a login it was offered all that we can: asking for another would change nothing.
  if (/no accepted authentication/i.test(message))
    return proxy.username || proxy.password ? refusal() : proxyAsks(undefined);
  if (/rejected connection/i.test(message)) return refusal();
  // Where there was no handshake it repeats the system's words: its code says as much, and the same as over
  // any other proxy.
  const [code] = /\bE[A-Z]{3,20}\b/.exec(message) ?? [];
  return proxyGone(proxy, code ?? message);
}
