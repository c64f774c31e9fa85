import { TileliftError } from '../errors.ts';
import { isLoopback } from './service-address.ts';

const maxLength = 2048;

/**
 * Contract 2.6: the dashboard's number, or the exact https address of a metadata document. Null for empty
 * text.
 * @throws TileliftError `client-id-invalid`
 */
export function parseClientId(enteredId: string): string | null {
  const text = enteredId.trim();
  if (text === '') return null;
  if (text.length <= maxLength && (/^\d+$/.test(text) || isDocumentAddress(text))) return text;
  throw new TileliftError('client-id-invalid', { subject: text.slice(0, 200) });
}

function isDocumentAddress(text: string): boolean {
  const url = /\s/.test(text) ? null : URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || text.includes('#')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}
