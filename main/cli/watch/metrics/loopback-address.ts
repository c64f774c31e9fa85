import { isIPv4 } from 'node:net';

/** The metrics endpoint. */
export interface LoopbackAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * For example `127.0.0.1:9464`, `localhost:9464`, `[::1]:9464`; null for other addresses. Port 0: any. Pure.
 */
export function parseLoopback(text: string): LoopbackAddress | null {
  const [, bracketed, plain, port = ''] = /^(?:\[([\d:a-f]+)\]|([\w.]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? '';
  const isLoopback = bracketed === '::1' || host === 'localhost' || (isIPv4(host) && host.startsWith('127.'));
  return isLoopback && Number(port) <= 65_535 ? { host, port: Number(port) } : null;
}

/** Rejects pages that use another host name for this computer. */
export function namesLoopback(hostHeader: string | undefined): boolean {
  if (hostHeader === undefined) return false;
  return parseLoopback(/:\d+$/.test(hostHeader) ? hostHeader : `${hostHeader}:80`) !== null;
}
