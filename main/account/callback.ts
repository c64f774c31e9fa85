import { redirectUri } from './model.ts';

/** A well-formed callback address (contract 4.1; RFC 6749 4.1.2). `state` is null when it has none. */
export type Callback =
  | {
      readonly kind: 'granted';
      readonly code: string;
      readonly state: string | null;
      /** Who says that it gave the code (RFC 9207); null where nobody does. */
      readonly iss: string | null;
    }
  | {
      readonly kind: 'refused';
      /** The service's own word, for example `access_denied`. */
      readonly error: string;
      readonly description: string | null;
      readonly state: string | null;
      readonly iss: string | null;
    };

const maxLength = 8192;
/** RFC 6749 appendix A: codes, states and error words are printable ASCII. */
const printable = /^[\x20-\x7e]+$/;

/** An address holds visible ASCII alone (RFC 3986 2); a URL parser would quietly drop some of the rest. */
const visible = /^[\x21-\x7e]+$/;

/**
 * Reads a callback address. Null for anything but the redirect address that was sent (default: our scheme's)
 * with exactly one of `code` and `error` and at most one `state` and one `iss`. Unknown parameters are
 * allowed (RFC 6749 4.1.2), and so is a fragment, since browsers carry one over a redirect.
 */
export function parseCallback(address: string, expected = redirectUri): Callback | null {
  if (address.length > maxLength) return null;
  const text = address.trim();
  const ours = text.toLowerCase().startsWith(`${expected}?`) && visible.test(text);
  const url = ours ? URL.parse(text) : null;
  if (!url) return null;

  const only = (name: string): string | null | undefined => {
    const values = url.searchParams.getAll(name);
    if (values.length === 0) return null;
    const [value] = values;
    return values.length === 1 && value !== undefined && printable.test(value) ? value : undefined;
  };
  const code = only('code');
  const error = only('error');
  const state = only('state');
  const iss = only('iss');
  if (code === undefined || error === undefined || state === undefined || iss === undefined) return null;
  if (code !== null && error === null) return { kind: 'granted', code, state, iss };
  if (error !== null && code === null) {
    return { kind: 'refused', error, description: url.searchParams.get('error_description'), state, iss };
  }
  return null;
}
