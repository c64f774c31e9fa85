import type { NamedService } from '../../shared/services.ts';
import { TileliftError } from '../errors.ts';
import type { ServiceAddress } from './model.ts';
import { isLoopback } from './service-address.ts';

/**
 * Whether the two addresses of a service belong together. Whoever brings a person to a genuine sign-in page
 * with an API address of their own gets the code that the page gives out, and its verifier along with it: all
 * that is needed to act for the person at the genuine service (RFC 9700 4.4, mix-up).
 */

/**
 * Why a pair can't be used: its sign-in page is that of a service that someone vouches for, and its API
 * address is not. Null where nothing is known against it. `vouchedFor`: the services that Tilelift or the
 * administrator knows.
 */
export function refuseMixedPair(
  address: ServiceAddress,
  vouchedFor: readonly ServiceAddress[],
): TileliftError | null {
  const place = placeOf(address.authUrl);
  const owners = vouchedFor.filter(({ authUrl }) => placeOf(authUrl) === place);
  if (owners.length === 0 || owners.some(({ baseUrl }) => baseUrl === address.baseUrl)) return null;
  return new TileliftError('service-pair-mixed', { subject: address.authUrl });
}

/**
 * Whether a pair may be used without asking the person: both addresses are of one site, both of this machine,
 * or someone vouches for them as they are.
 */
export async function isSurePair(
  address: ServiceAddress,
  vouchedFor: readonly ServiceAddress[],
): Promise<boolean> {
  const { baseUrl, authUrl } = address;
  if (vouchedFor.some((one) => one.baseUrl === baseUrl && one.authUrl === authUrl)) return true;
  return isSameSite(baseUrl, authUrl);
}

/**
 * Whether two addresses are of one owner: one host, or names below one that is registered ("example.co.uk",
 * by the public suffix list, with what hosting companies give to their customers). All of this machine is
 * one.
 */
export async function isSameSite(one: string, other: string): Promise<boolean> {
  if (isLoopback(one) || isLoopback(other)) return isLoopback(one) && isLoopback(other);
  const [host, otherHost] = [hostOf(one), hostOf(other)];
  if (host === otherHost) return true;
  // The list is long and seldom asked: no launch waits for it.
  const { getDomain } = await import('tldts');
  const site = getDomain(host, { allowPrivateDomains: true });
  return site !== null && site === getDomain(otherHost, { allowPrivateDomains: true });
}

/** "service.example." is another origin than "service.example", and the same host. */
function hostOf(address: string): string {
  return new URL(address).hostname.replace(/\.$/, '');
}

/** The host; on this machine its port too, which tells its services apart. */
function placeOf(address: string): string {
  return isLoopback(address) ? new URL(address).host : hostOf(address);
}

/** Services that Tilelift knows by name; others are given by their addresses. No test contacts these. */
export const servicePresets: readonly NamedService[] = [
  { name: 'Cesium ion', baseUrl: 'https://api.cesium.com', authUrl: 'https://ion.cesium.com' },
];
