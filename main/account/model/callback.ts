import { redirectUri } from './model.ts';

/** A well-formed callback address (contract 4.1; RFC 6749 4.1.2). */
export type Callback =
  | {
      readonly kind: 'granted';
      readonly code: string;
      readonly state: string | null;
      /** The issuer (RFC 9207). */
      readonly iss: string | null;
    }
  | {
      readonly kind: 'refused';
      /** For example `access_denied`. */
      readonly error: string;
      readonly description: string | null;
      readonly state: string | null;
      readonly iss: string | null;
    };

const maxLength = 8192;
/** RFC 6749 appendix A: codes, states and errors are printable ASCII. */
const printable = /^[\x20-\x7e]+$/;

/** RFC 3986 2; a URL parser would silently drop some other characters. */
const printableText = /^[\x21-\x7e]+$/;

/**
 * Null unless the address starts with the redirect address and has one of `code` and `error`, and at most one
 * `state` and `iss`. Allows unknown parameters (RFC 6749 4.1.2) and fragments, which browsers keep.
 */
export function parseCallback(address: string, expectedUri = redirectUri): Callback | null {
  if (address.length > maxLength) return null;
  const text = address.trim();
  const isOurAddress = text.toLowerCase().startsWith(`${expectedUri}?`) && printableText.test(text);
  const url = isOurAddress ? URL.parse(text) : null;
  if (!url) return null;

  const singleValue = (name: string): string | null | undefined => {
    const values = url.searchParams.getAll(name);
    if (values.length === 0) return null;
    const [value] = values;
    return values.length === 1 && value !== undefined && printable.test(value) ? value : undefined;
  };
  const code = singleValue('code');
  const error = singleValue('error');
  const state = singleValue('state');
  const iss = singleValue('iss');
  if (code === undefined || error === undefined || state === undefined || iss === undefined) return null;
  if (code !== null && error === null) return { kind: 'granted', code, state, iss };
  if (error !== null && code === null) {
    return { kind: 'refused', error, description: url.searchParams.get('error_description'), state, iss };
  }
  return null;
}
