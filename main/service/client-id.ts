import { TileliftError } from '../errors.ts';
import { isLoopback } from './service-address.ts';

const maxLength = 2048;

/**
 * A client id of the person's own (contract 2.6): the number that the dashboard assigned, or the https
 * address of a client metadata document, to the letter, since the document must name exactly it. Null for an
 * empty text: then Tilelift registers itself.
 *
 * @throws TileliftError `client-id-invalid`
 */
export function parseClientId(typed: string): string | null {
  const text = typed.trim();
  if (text === '') return null;
  if (text.length <= maxLength && (/^\d+$/.test(text) || isDocumentAddress(text))) return text;
  throw new TileliftError('client-id-invalid', { subject: text.slice(0, 200) });
}

function isDocumentAddress(text: string): boolean {
  const url = /\s/.test(text) ? null : URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || text.includes('#')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}
