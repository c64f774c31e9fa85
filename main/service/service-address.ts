import { TileliftError } from '../errors.ts';
import type { ServiceAddress } from './model.ts';

const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);
const maxLength = 2048;

/** True where plain http is allowed: this machine, by the names that mean it and no others. */
export function isLoopback(address: string | URL): boolean {
  return loopbackHosts.has(new URL(address).hostname);
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
