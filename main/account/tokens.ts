import { z } from 'zod';
import type { TokenAnswer } from './token-answer.ts';

/** The tokens of one account, with absolute times (ms since the epoch) where the service gave life times. */
const tokenSetSchema = z.object({
  accessToken: z.string().min(1),
  /** Null: none was given, or the service refused it; the sign-in ends with its access token. */
  refreshToken: z.string().min(1).nullable(),
  issuedAt: z.number(),
  accessEndsAt: z.number().nullable(),
  refreshEndsAt: z.number().nullable(),
  /** The client to which the tokens were given; a refresh must name the same. Null for an access token of the account's settings. */
  clientId: z.string().min(1).nullable(),
});
export type TokenSet = Readonly<z.infer<typeof tokenSetSchema>>;

/** What the vault keeps for one account. */
export const keptAccountSchema = z.object({
  address: z.object({ baseUrl: z.string(), authUrl: z.string() }),
  tokens: tokenSetSchema,
});
export type KeptAccount = z.infer<typeof keptAccountSchema>;

const fiveMinutes = 5 * 60_000;

/**
 * The token set that an answer gives at `now`. A refresh that brings no new refresh token leaves the previous one valid
 * (RFC 6749 section 6).
 */
export function tokenSetFrom(
  answer: TokenAnswer,
  clientId: string,
  now: number,
  previous: TokenSet | null = null,
): TokenSet {
  const endsAt = (seconds: number | undefined) => (seconds === undefined ? null : now + seconds * 1000);
  const kept = answer.refresh_token === undefined ? previous : null;
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? kept?.refreshToken ?? null,
    issuedAt: now,
    accessEndsAt: endsAt(answer.expires_in),
    refreshEndsAt: endsAt(answer.refresh_token_expires_in) ?? kept?.refreshEndsAt ?? null,
    clientId,
  };
}

/** The token set of an access token that the account's settings made (contract 5, 2): no refresh, no known end. */
export function tokenSetOf(accessToken: string, now: number): TokenSet {
  return {
    accessToken,
    refreshToken: null,
    issuedAt: now,
    accessEndsAt: null,
    refreshEndsAt: null,
    clientId: null,
  };
}

/**
 * True when 10 % of the access token's life or five minutes are left, whichever comes first; for lives under ten
 * minutes not before half of it has gone. False for tokens whose end is not known.
 */
export function isDue(tokens: TokenSet, now: number): boolean {
  if (tokens.accessEndsAt === null) return false;
  const life = tokens.accessEndsAt - tokens.issuedAt;
  const margin = Math.min(Math.max(life * 0.1, fiveMinutes), life / 2);
  return tokens.accessEndsAt - now <= margin;
}

/** True once the access token has ended by this computer's clock, which may be wrong: the service has the last word. */
export function isOver(tokens: TokenSet, now: number): boolean {
  return tokens.accessEndsAt !== null && now >= tokens.accessEndsAt;
}
