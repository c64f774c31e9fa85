import { isLoopback } from './service-address.ts';

/**
 * An address that the service gave, as an absolute one at the service's own origin; null where it lies elsewhere, since the bearer token would go there.
 * The names of this machine are one origin: what comes back is in the name by which the service was asked, which is the one that is known to work.
 * `askedAt`: the absolute address of the request that was answered, against which a relative one counts (RFC 3986 5).
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
