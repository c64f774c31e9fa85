import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import type { Log } from '../../log.ts';
import { parseJson } from '../../service/answer.ts';
import { accountIdOf } from '../model/model.ts';
import type { Vault } from '../vault/vault.ts';

/** Contract 2.7 in the spelling of the OAuth library. Lifetimes are seconds. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
  readonly refresh_token_expires_in?: number;
}

const text = z.string().min(1).max(16_384);
/** An invalid lifetime counts as absent: the token is still valid. */
const seconds = z
  .union([
    z.number().nonnegative(),
    z
      .string()
      .regex(/^\d{1,10}$/)
      .transform(Number),
  ])
  .optional()
  .catch(undefined);

const fields = z.object({
  access_token: text,
  token_type: text,
  refresh_token: text.optional().catch(undefined),
  expires_in: seconds,
  expiresIn: seconds,
  refresh_token_expires_in: seconds,
  refreshTokenExpiresIn: seconds,
});

const xml = new XMLParser({ parseTagValue: false, ignoreAttributes: true, processEntities: true });

/**
 * Reads any format and spelling of contract 4.3; null without a token. Content types can be wrong, so the
 * text decides.
 */
export function readTokenAnswer(body: string): TokenAnswer | null {
  const parsed = fields.safeParse(readFields(body.trim()));
  if (!parsed.success) return null;
  const { access_token, token_type, refresh_token, ...lifetimes } = parsed.data;
  const expiresIn = lifetimes.expires_in ?? lifetimes.expiresIn;
  const refreshExpiresIn = lifetimes.refresh_token_expires_in ?? lifetimes.refreshTokenExpiresIn;
  return {
    access_token,
    token_type,
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(expiresIn === undefined ? {} : { expires_in: expiresIn }),
    ...(refreshExpiresIn === undefined ? {} : { refresh_token_expires_in: refreshExpiresIn }),
  };
}

function readFields(body: string): unknown {
  if (body.startsWith('{')) return parseJson(body);
  if (body.startsWith('<')) return readXml(body);
  return Object.fromEntries(new URLSearchParams(body));
}

function readXml(body: string): unknown {
  // Entities of a document type can grow without bound.
  if (/<!DOCTYPE/i.test(body)) return undefined;
  try {
    return z.object({ OAuth: z.unknown() }).parse(xml.parse(body)).OAuth;
  } catch {
    return undefined;
  }
}

/** Contract 4.3 leaves it open: RFC 6749 requires forms, the contract's examples are JSON. */
export type TokenBody = 'form' | 'json';

/** The encoding that each service accepts. */
export interface TokenBodies {
  preferred(baseUrl: string): TokenBody;
  understood(baseUrl: string, body: TokenBody): void;
}

/** Stores only `json` in the vault. */
export function createTokenBodies(vault: Vault, log: Log): TokenBodies {
  const key = (baseUrl: string) => `token-body:${accountIdOf(baseUrl)}`;
  const preferredBody = (baseUrl: string): TokenBody =>
    vault.get(key(baseUrl)) === 'json' ? 'json' : 'form';
  return {
    preferred: preferredBody,
    understood: (baseUrl, body) => {
      if (preferredBody(baseUrl) === body) return;
      try {
        if (body === 'json') vault.set(key(baseUrl), body);
        else vault.delete(key(baseUrl));
      } catch (cause) {
        log.warn({ cause }, 'Which body a service takes could not be kept.');
      }
    },
  };
}

/** Also returns the content type. */
export function encodeTokenBody(
  form: string,
  body: TokenBody,
): { readonly type: string; readonly text: string } {
  if (body === 'form') return { type: 'application/x-www-form-urlencoded;charset=UTF-8', text: form };
  return { type: 'application/json', text: JSON.stringify(Object.fromEntries(new URLSearchParams(form))) };
}
