import { BlockList, isIP } from 'node:net';
import { privateName } from '../../shared/private-names.ts';
import { TileliftError } from '../errors.ts';
import type { ServiceAddress } from './model.ts';

const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);
const maxLength = 2048;

/** True for names of this machine, which may always use plain http. */
export function isLoopback(address: string | URL): boolean {
  return loopbackHosts.has(new URL(address).hostname);
}

const thisComputer = new BlockList();
thisComputer.addSubnet('127.0.0.0', 8);
// The unspecified address reaches this computer.
thisComputer.addSubnet('0.0.0.0', 8);
thisComputer.addAddress('::1', 'ipv6');
thisComputer.addAddress('::', 'ipv6');

const privateNetworks = new BlockList();
// RFC 1918, RFC 6598, RFC 3927.
privateNetworks.addSubnet('10.0.0.0', 8);
privateNetworks.addSubnet('172.16.0.0', 12);
privateNetworks.addSubnet('192.168.0.0', 16);
privateNetworks.addSubnet('100.64.0.0', 10);
privateNetworks.addSubnet('169.254.0.0', 16);
// RFC 4193, RFC 4291, and the older site-local addresses.
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
privateNetworks.addSubnet('fe80::', 10, 'ipv6');
privateNetworks.addSubnet('fec0::', 10, 'ipv6');

/** True for http to anything but `isLoopback`, which the user or the administrator has to allow. */
export function isPlainElsewhere(address: string | URL): boolean {
  return new URL(address).protocol === 'http:' && !isLoopback(address);
}

const localName = /^(?:.+\.)?localhost$/;

/**
 * Uses only the name: 0 this computer, 1 a private network, 2 the internet (also names of private
 * addresses). Brackets are optional.
 */
function hostReach(hostname: string): number {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const version = isIP(host);
  if (version === 0) return localName.test(host) ? 0 : privateName.test(host) ? 1 : 2;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (thisComputer.check(host, family)) return 0;
  return privateNetworks.check(host, family) ? 1 : 2;
}

/** True for this computer and private networks. */
export function isPrivateHost(hostname: string): boolean {
  return hostReach(hostname) < 2;
}

/** True if fewer computers can reach the first host than the second. */
export function isMorePrivate(hostname: string, thanHostname: string): boolean {
  return hostReach(hostname) < hostReach(thanHostname);
}

/**
 * Normalizes addresses: lower case, no trailing slash, https by default, http only for private hosts.
 * @throws TileliftError `service-address-invalid`
 */
export function parseServiceAddress(enteredAddress: ServiceAddress): ServiceAddress {
  return {
    baseUrl: parseHostAddress(enteredAddress.baseUrl),
    authUrl: parseHostAddress(enteredAddress.authUrl),
  };
}

function parseHostAddress(enteredText: string): string {
  const text = enteredText.trim();
  const url = usableUrl(text.includes('://') ? text : `https://${text}`);
  if (!url) throw new TileliftError('service-address-invalid', { subject: text.slice(0, 200) });
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '');
}

function usableUrl(text: string): URL | null {
  // `URL` silently drops or encodes white space.
  if (text.length > maxLength || /\s/.test(text)) return null;
  const url = URL.parse(text);
  if (!url || url.hostname === '') return null;
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && isPrivateHost(url.hostname));
  const hasNoExtras = url.username === '' && url.password === '' && !/[?#@]/.test(text);
  return secure && hasNoExtras ? url : null;
}

/** The web page of the asset, to which public clients link as well. */
export function assetPageAddress(address: ServiceAddress, id: number): string {
  return `${address.authUrl}/assets/${id}`;
}

/**
 * Resolves it against the request's address (RFC 3986 5); null outside its origin, since the bearer token
 * would go there. All names of this machine are one origin; keeps the one that worked.
 */
export function atOrigin(address: string, askedAt: string): string | null {
  const request = new URL(askedAt);
  const url = URL.parse(address, request);
  if (url === null) return null;
  if (url.username !== '' || url.password !== '') return null;
  url.hash = '';
  if (isLoopback(request) && isLoopback(url)) url.hostname = request.hostname;
  return url.origin === request.origin ? url.href : null;
}
