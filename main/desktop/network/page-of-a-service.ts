import { isLoopback } from '../../service/service-address.ts';

/**
 * True for pages that may be opened in the browser: those of a known service's sign-in host, which also has
 * the asset pages, by https or on this machine by http.
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
