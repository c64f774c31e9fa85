import type { Log } from '../../log.ts';
import { accountIdOf } from '../account-id.ts';
import type { Vault } from '../vault/vault.ts';

/** How the body of a token request is written: contract 4.3 leaves it open, RFC 6749 has it form-encoded, the contract's examples send JSON. */
export type TokenBody = 'form' | 'json';

/** Which one a service takes, as it has shown. */
export interface TokenBodies {
  /** The one to send first. */
  at(baseUrl: string): TokenBody;
  /** The service has understood this one. */
  understood(baseUrl: string, body: TokenBody): void;
}

/** Kept in the vault, beside the tokens that they are for. `form` is the standard, so only another is written down. */
export function createTokenBodies(vault: Vault, log: Log): TokenBodies {
  const key = (baseUrl: string) => `token-body:${accountIdOf(baseUrl)}`;
  const at = (baseUrl: string): TokenBody => (vault.get(key(baseUrl)) === 'json' ? 'json' : 'form');
  return {
    at,
    understood: (baseUrl, body) => {
      if (at(baseUrl) === body) return;
      try {
        if (body === 'json') vault.set(key(baseUrl), body);
        else vault.delete(key(baseUrl));
      } catch (cause) {
        log.warn({ cause }, 'Which body a service takes could not be kept.');
      }
    },
  };
}

/** The form-encoded fields in the encoding that is wanted, with its content type. */
export function encodeTokenBody(
  form: string,
  body: TokenBody,
): { readonly type: string; readonly text: string } {
  if (body === 'form') return { type: 'application/x-www-form-urlencoded;charset=UTF-8', text: form };
  return {
    type: 'application/json',
    text: JSON.stringify(Object.fromEntries(new URLSearchParams(form))),
  };
}
