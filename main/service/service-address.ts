import { TileliftError } from '../errors.ts';
import type { ServiceAddress } from './model.ts';

const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);
const maxLength = 2048;

/** True where plain http is allowed: this machine, by the names that mean it and no others. */
export function isLoopback(address: string | URL): boolean {
  return loopbackHosts.has(new URL(address).hostname);
}

/**
 * Checks both addresses of a service as a person may type them, and gives them in one spelling: scheme and host in
 * lower case, no trailing slash. An address without a scheme is taken as https.
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
