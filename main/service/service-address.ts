import { BlockList, isIP } from 'node:net';
import { TileliftError } from '../errors.ts';
import type { ServiceAddress } from './model.ts';

const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);
const maxLength = 2048;

/** True where plain http is allowed: this machine, by the names that mean it and no others. */
export function isLoopback(address: string | URL): boolean {
  return loopbackHosts.has(new URL(address).hostname);
}

const thisComputer = new BlockList();
thisComputer.addSubnet('127.0.0.0', 8);
// Unspecified: connecting there reaches this computer.
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
// RFC 4193, RFC 4291, and the site-local addresses before them.
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
privateNetworks.addSubnet('fe80::', 10, 'ipv6');
privateNetworks.addSubnet('fec0::', 10, 'ipv6');

/** RFC 6761, RFC 6762, RFC 8375, and names without a dot: no public name server answers for them. */
const localName = /^(?:.+\.)?localhost$/;
const privateName = /^(?:[^.]+|.+\.(?:local|internal|home\.arpa))$/;

/**
 * Tells from its name or address alone who can reach a host, as `URL.hostname` spells it, brackets or not:
 * 0 this computer, 1 a private network, 2 the internet. A name that resolves to a private address counts as
 * on the internet.
 */
function hostReach(hostname: string): number {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const version = isIP(host);
  if (version === 0) return localName.test(host) ? 0 : privateName.test(host) ? 1 : 2;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (thisComputer.check(host, family)) return 0;
  return privateNetworks.check(host, family) ? 1 : 2;
}

/** True where fewer can reach the first host than the second. */
export function isMorePrivate(hostname: string, thanHostname: string): boolean {
  return hostReach(hostname) < hostReach(thanHostname);
}

/**
 * Checks both addresses of a service as a person may type them, and gives them in one spelling: scheme and
 * host in lower case, no trailing slash. An address without a scheme is taken as https.
 *
 * @throws TileliftError `service-address-invalid`, naming the address that is wrong
 */
export function parseServiceAddress(typed: ServiceAddress): ServiceAddress {
  return { baseUrl: parseHostAddress(typed.baseUrl), authUrl: parseHostAddress(typed.authUrl) };
}

function parseHostAddress(typed: string): string {
  const text = typed.trim();
  const url = usableUrl(text.includes('://') ? text : `https://${text}`);
  if (!url) throw new TileliftError('service-address-invalid', { subject: text.slice(0, 200) });
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '');
}

function usableUrl(text: string): URL | null {
  // `URL` drops tabs and line breaks in silence and encodes spaces: an address that holds any was mistyped.
  if (text.length > maxLength || /\s/.test(text)) return null;
  const url = URL.parse(text);
  if (!url || url.hostname === '') return null;
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
  const plain = url.username === '' && url.password === '' && !/[?#@]/.test(text);
  return secure && plain ? url : null;
}

/** The page of an asset for a person: `{auth_url}/assets/<id>`, as public clients show it. */
export function assetPageAddress(address: ServiceAddress, id: number): string {
  return `${address.authUrl}/assets/${id}`;
}

/**
 * An address that the service gave, as an absolute one at the service's own origin; null where it is
 * elsewhere, since the bearer token would go there. The names of this machine are one origin: what comes back
 * is in the name by which the service was asked, which is the one that is known to work. `askedAt`: the
 * absolute address of the request that was answered, against which a relative one counts (RFC 3986 5).
 */
export function atOrigin(given: string, askedAt: string): string | null {
  const asked = new URL(askedAt);
  const url = URL.parse(given, asked);
  if (url === null) return null;
  if (url.username !== '' || url.password !== '') return null;
  url.hash = '';
  if (isLoopback(asked) && isLoopback(url)) url.hostname = asked.hostname;
  return url.origin === asked.origin ? url.href : null;
}
