import type { NamedService } from '../../shared/services.ts';
import { TileliftError } from '../errors.ts';
import type { ServiceAddress } from './model.ts';
import { isLoopback } from './service-address.ts';

/**
 * With their own API address and a genuine sign-in page, attackers would receive its code and verifier
 * (mix-up, RFC 9700 4.4).
 */

/**
 * Refuses a trusted sign-in page with an untrusted API address. `vouchedAddresses`: trusted by Tilelift or
 * the administrator.
 */
export function refuseMixedPair(
  address: ServiceAddress,
  vouchedAddresses: readonly ServiceAddress[],
): TileliftError | null {
  const host = placeOf(address.authUrl);
  const owners = vouchedAddresses.filter(({ authUrl }) => placeOf(authUrl) === host);
  if (owners.length === 0 || owners.some(({ baseUrl }) => baseUrl === address.baseUrl)) return null;
  return new TileliftError('service-pair-mixed', { subject: address.authUrl });
}

/** True if the user needn't confirm the pair. */
export async function isSurePair(
  address: ServiceAddress,
  vouchedAddresses: readonly ServiceAddress[],
): Promise<boolean> {
  const { baseUrl, authUrl } = address;
  if (vouchedAddresses.some((pair) => pair.baseUrl === baseUrl && pair.authUrl === authUrl)) return true;
  return isSameSite(baseUrl, authUrl);
}

/**
 * The same host or registrable domain ("example.co.uk"; public suffix list with its private section), or both
 * on this machine.
 */
export async function isSameSite(address: string, otherAddress: string): Promise<boolean> {
  if (isLoopback(address) || isLoopback(otherAddress)) return isLoopback(address) && isLoopback(otherAddress);
  const [host, otherHost] = [hostOf(address), hostOf(otherAddress)];
  if (host === otherHost) return true;
  // Load the long list on demand.
  const { getDomain } = await import('tldts');
  const site = getDomain(host, { allowPrivateDomains: true });
  return site !== null && site === getDomain(otherHost, { allowPrivateDomains: true });
}

/** A trailing dot changes only the origin. */
function hostOf(address: string): string {
  return new URL(address).hostname.replace(/\.$/, '');
}

/** On this machine the port distinguishes services. */
function placeOf(address: string): string {
  return isLoopback(address) ? new URL(address).host : hostOf(address);
}

/** Tests never contact them. */
export const servicePresets: readonly NamedService[] = [
  { name: 'Cesium ion', baseUrl: 'https://api.cesium.com', authUrl: 'https://ion.cesium.com' },
];
