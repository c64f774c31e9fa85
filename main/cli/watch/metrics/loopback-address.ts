import { isIPv4 } from 'node:net';

/** Where metrics are served: a loopback address, host and port apart. */
export interface LoopbackAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * `127.0.0.1:9464`, `localhost:9464`, `[::1]:9464`; null for every address that others could reach, and for
 * what is none. Port 0 takes a free one. Pure.
 */
export function parseLoopback(text: string): LoopbackAddress | null {
  const [, bracketed, plain, port = ''] = /^(?:\[([\d:a-f]+)\]|([\w.]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? '';
  const isLoopback = bracketed === '::1' || host === 'localhost' || (isIPv4(host) && host.startsWith('127.'));
  return isLoopback && Number(port) <= 65_535 ? { host, port: Number(port) } : null;
}

/** True where a request names this computer: a page in a browser that was led here by a name does not. */
export function namesLoopback(hostHeader: string | undefined): boolean {
  if (hostHeader === undefined) return false;
  return parseLoopback(/:\d+$/.test(hostHeader) ? hostHeader : `${hostHeader}:80`) !== null;
}
