import { isPrivateHost } from '../../service/service-address.ts';

/**
 * True on a known service's sign-in host, which has the asset pages too, by https, or http on this machine
 * and in private networks.
 */
export function isPageOfAService(
  address: string,
  services: readonly { readonly authUrl: string }[],
): boolean {
  const page = URL.parse(address);
  if (page?.username !== '' || page.password !== '') return false;
  const isSafe = page.protocol === 'https:' || (page.protocol === 'http:' && isPrivateHost(page.hostname));
  return isSafe && services.some(({ authUrl }) => URL.parse(authUrl)?.origin === page.origin);
}
