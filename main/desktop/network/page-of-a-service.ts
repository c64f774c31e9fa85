import { isLoopback } from '../../service/service-address.ts';

/**
 * True for the pages that are opened for the person: those of the sign-in host of a known service, which
 * public clients show to be the host of the asset pages too. By https, or by http where the service runs on
 * this machine. Anything else stays closed.
 */
export function isPageOfAService(
  address: string,
  services: readonly { readonly authUrl: string }[],
): boolean {
  const page = URL.parse(address);
  if (page?.username !== '' || page.password !== '') return false;
  const safe = page.protocol === 'https:' || (page.protocol === 'http:' && isLoopback(page));
  return safe && services.some(({ authUrl }) => URL.parse(authUrl)?.origin === page.origin);
}
