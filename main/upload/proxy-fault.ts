import { StorageError } from './storage-error.ts';

/** The proxy wants a user name and password, or others than it was given (RFC 9110 15.5.8). */
export function proxyAsks(challenge: string | readonly string[] | undefined): StorageError {
  return new StorageError({ code: 'ProxyAuthentication', message: String(challenge ?? '') });
}

/** What went wrong with the proxy itself rather than beyond it; null when the error is about something else. */
export function proxyFault(error: Error, proxy: URL): StorageError | null {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ERR_PROXY_TUNNEL') {
    const status = 'statusCode' in error ? error.statusCode : undefined;
    // Some answer a wrong password with 401; whatever answers CONNECT is the proxy.
    if (status === 407 || status === 401) return proxyAsks(undefined);
    return new StorageError({ code: 'ProxyUnreachable', message: `The proxy answered ${status}.` }, error);
  }
  // Over a proxy nothing else is ever connected to: whatever keeps a connection from coming about is the proxy's.
  const connecting = 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo');
  if (!connecting) return null;
  return new StorageError({ code: 'ProxyUnreachable', message: `${String(code)} at ${proxy.host}` }, error);
}
