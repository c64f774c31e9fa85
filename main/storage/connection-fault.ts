import type { CallAnswer } from './storage-answer.ts';
import { StorageError, type StorageFault } from './storage-error.ts';

/** Node throws an `AggregateError` for hosts with several addresses. */
export function networkFault(error: unknown): StorageFault {
  if (error instanceof StorageError) return error.fault;
  if (error instanceof AggregateError && error.errors.length > 0) return networkFault(error.errors[0]);
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { ...(code ? { code } : {}), ...(error.message ? { message: error.message } : {}) };
}

/** The proxy requires a login (RFC 9110 15.5.8). */
function proxyAsks(challenge: string | readonly string[] | undefined): StorageError {
  return new StorageError({ code: 'ProxyAuthentication', message: String(challenge ?? '') });
}

/** Returns the fault of a response that requires a login, else null. */
export function proxyAsksIn({
  status,
  headers,
}: Pick<CallAnswer, 'status' | 'headers'>): StorageError | null {
  return status === 407 ? proxyAsks(headers['proxy-authenticate']) : null;
}

/** The proxy can't be reached; another may work. */
export function proxyGone(proxy: URL, why: string): StorageError {
  return new StorageError({
    code: 'ProxyUnreachable',
    message: `${why} at ${proxy.host}`,
    proxy: proxy.host,
  });
}

/** Don't bypass a refusal via another proxy. */
function proxyRefuses(proxy: URL, message: string): StorageError {
  return new StorageError({ code: 'ProxyRefused', message, proxy: proxy.host });
}

/** Null if the error concerns storage. `isConnected`: the connection to storage existed. */
export function proxyFault(error: Error, proxy: URL, isConnected: boolean): StorageError | null {
  const rootError: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(rootError instanceof Error)) return null;
  const code = 'code' in rootError ? String(rootError.code) : '';
  if (code === 'ERR_PROXY_TUNNEL') {
    const status = 'statusCode' in rootError ? rootError.statusCode : undefined;
    // Some proxies answer a wrong password with 401; the answer to CONNECT is always the proxy's.
    if (status === 407 || status === 401) return proxyAsks(undefined);
    return status === undefined
      ? proxyGone(proxy, 'No tunnel')
      : proxyRefuses(proxy, `${proxy.host} answered ${status}.`);
  }
  // Connections only ever go to the proxy, so a failed one is the proxy's.
  const connecting =
    'syscall' in rootError && (rootError.syscall === 'connect' || rootError.syscall === 'getaddrinfo');
  return connecting || (!isConnected && code === 'ECONNRESET') ? proxyGone(proxy, code) : null;
}

/** The SOCKS library's errors only differ in their text. */
export function socksFault(error: Error, proxy: URL): StorageError {
  const { message } = error;
  const refusal = () => proxyRefuses(proxy, `${message} at ${proxy.host}`);
  if (/authentication failed/i.test(message)) return proxyAsks(undefined);
  // The login was already offered; asking again wouldn't help.
  if (/no accepted authentication/i.test(message))
    return proxy.username || proxy.password ? refusal() : proxyAsks(undefined);
  if (/rejected connection/i.test(message)) return refusal();
  // Without a handshake the message repeats the system's error code.
  const [code] = /\bE[A-Z]{3,20}\b/.exec(message) ?? [];
  return proxyGone(proxy, code ?? message);
}
