import type { NamedService } from '../../shared/services.ts';
import { TileliftError } from '../errors.ts';
import type { ServiceAddress } from './model.ts';
import { isLoopback } from './service-address.ts';

/**
 * Checks that a service's two addresses belong together. An attacker who combines a genuine sign-in page with
 * their own API address would receive its code and verifier (mix-up, RFC 9700 4.4).
 */

/**
 * Returns an error if the sign-in page belongs to a trusted service and the API address doesn't, else null.
 * `vouchedFor`: the services that Tilelift or the administrator trusts.
 */
export function refuseMixedPair(
  address: ServiceAddress,
  vouchedFor: readonly ServiceAddress[],
): TileliftError | null {
  const host = placeOf(address.authUrl);
  const owners = vouchedFor.filter(({ authUrl }) => placeOf(authUrl) === host);
  if (owners.length === 0 || owners.some(({ baseUrl }) => baseUrl === address.baseUrl)) return null;
  return new TileliftError('service-pair-mixed', { subject: address.authUrl });
}

/**
 * True if both addresses share a site, are on this machine, or are a trusted pair: no question to the user.
 */
export async function isSurePair(
  address: ServiceAddress,
  vouchedFor: readonly ServiceAddress[],
): Promise<boolean> {
  const { baseUrl, authUrl } = address;
  if (vouchedFor.some((pair) => pair.baseUrl === baseUrl && pair.authUrl === authUrl)) return true;
  return isSameSite(baseUrl, authUrl);
}

/**
 * True for equal hosts and for names below the same registrable domain ("example.co.uk"; public suffix list
 * with its private section), and for two addresses of this machine.
 */
export async function isSameSite(address: string, otherAddress: string): Promise<boolean> {
  if (isLoopback(address) || isLoopback(otherAddress)) return isLoopback(address) && isLoopback(otherAddress);
  const [host, otherHost] = [hostOf(address), hostOf(otherAddress)];
  if (host === otherHost) return true;
  // Load the long list on demand, not at launch.
  const { getDomain } = await import('tldts');
  const site = getDomain(host, { allowPrivateDomains: true });
  return site !== null && site === getDomain(otherHost, { allowPrivateDomains: true });
}

/** Ignores the trailing dot, which changes the origin but not the host. */
function hostOf(address: string): string {
  return new URL(address).hostname.replace(/\.$/, '');
}

/** The host; on this machine with the port, which distinguishes its services. */
function placeOf(address: string): string {
  return isLoopback(address) ? new URL(address).host : hostOf(address);
}

/** The services that Tilelift knows by name. Tests never contact them. */
export const servicePresets: readonly NamedService[] = [
  { name: 'Cesium ion', baseUrl: 'https://api.cesium.com', authUrl: 'https://ion.cesium.com' },
];
