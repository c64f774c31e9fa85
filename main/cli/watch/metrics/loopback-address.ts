import { isIPv4 } from 'node:net';

/** The metrics endpoint. */
export interface LoopbackAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Parses `127.0.0.1:9464`, `localhost:9464`, `[::1]:9464`; null for other addresses. Port 0 selects a free
 * one. Pure.
 */
export function parseLoopback(text: string): LoopbackAddress | null {
  const [, bracketed, plain, port = ''] = /^(?:\[([\d:a-f]+)\]|([\w.]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? '';
  const isLoopback = bracketed === '::1' || host === 'localhost' || (isIPv4(host) && host.startsWith('127.'));
  return isLoopback && Number(port) <= 65_535 ? { host, port: Number(port) } : null;
}

/** Rejects requests of pages that reach this computer by another host name. */
export function namesLoopback(hostHeader: string | undefined): boolean {
  if (hostHeader === undefined) return false;
  return parseLoopback(/:\d+$/.test(hostHeader) ? hostHeader : `${hostHeader}:80`) !== null;
}
