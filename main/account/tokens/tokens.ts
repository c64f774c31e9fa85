import { z } from 'zod';
import { objectIn } from '../../service/who-answered.ts';
import { redirectUri as schemeRedirect } from '../model.ts';
import type { TokenAnswer } from './token-answer.ts';

/** The tokens of one account, with absolute times (ms since the epoch) where the service gave life times. */
const tokenSetSchema = z.object({
  accessToken: z.string().min(1),
  /** Null: none was given, or the service refused it; the sign-in ends with its access token. */
  refreshToken: z.string().min(1).nullable(),
  issuedAt: z.number(),
  accessEndsAt: z.number().nullable(),
  refreshEndsAt: z.number().nullable(),
  /**
   * True where a refresh has shown that it brings no refresh token of longer life: the sign-in ends with this
   * one, whatever is done.
   */
  refreshIsLast: z.boolean().optional(),
  /**
   * The client to which the tokens were given; a refresh must name the same. Null for an access token of the
   * account's settings.
   */
  clientId: z.string().min(1).nullable(),
  /** The redirect address of the sign-in, where it was not the scheme's; a refresh must name the same. */
  redirectUri: z.string().min(1).optional(),
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
 * The token set that an answer gives at `now` to a client. A refresh that brings no new refresh token leaves
 * the previous one valid (RFC 6749 section 6).
 */
export function tokenSetFrom(
  answer: TokenAnswer,
  { clientId, redirectUri }: { readonly clientId: string; readonly redirectUri: string },
  now: number,
  previous: TokenSet | null = null,
): TokenSet {
  const endsAt = (seconds: number | undefined) => (seconds === undefined ? null : now + seconds * 1000);
  const kept = answer.refresh_token === undefined ? previous : null;
  const refreshEndsAt = endsAt(answer.refresh_token_expires_in) ?? kept?.refreshEndsAt ?? null;
  const before = previous?.refreshEndsAt ?? null;
  // A few minutes more are the service's rounding, no renewal.
  const isLast = before !== null && refreshEndsAt !== null && refreshEndsAt - before < fiveMinutes;
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? kept?.refreshToken ?? null,
    issuedAt: now,
    accessEndsAt: endsAt(answer.expires_in),
    refreshEndsAt,
    clientId,
    ...(redirectUri === schemeRedirect ? {} : { redirectUri }),
    ...(isLast ? { refreshIsLast: true } : {}),
  };
}

/**
 * The token set of an access token that the account's settings made (contract 5, 2): no refresh, and no end
 * but one that it tells itself.
 */
export function tokenSetOf(accessToken: string, now: number): TokenSet {
  return {
    accessToken,
    refreshToken: null,
    issuedAt: now,
    accessEndsAt: endToldBy(accessToken),
    refreshEndsAt: null,
    clientId: null,
  };
}

/**
 * True when 10 % of the access token's life or five minutes are left, whichever comes first; for lives under
 * ten minutes not before half of it has gone. False for tokens whose end is not known.
 */
export function isDue(tokens: TokenSet, now: number): boolean {
  if (tokens.accessEndsAt === null) return false;
  return tokens.accessEndsAt - now <= marginOf(tokens.issuedAt, tokens.accessEndsAt);
}

function marginOf(issuedAt: number, accessEndsAt: number): number {
  const life = accessEndsAt - issuedAt;
  return Math.min(Math.max(life * 0.1, fiveMinutes), life / 2);
}

/**
 * True when a refresh is due although nobody needs the access token: half of the refresh token's life is
 * over, with which a sign-in that nobody uses would end. False where a refresh brings no longer life.
 */
export function isRenewalDue(tokens: TokenSet, now: number): boolean {
  if (tokens.refreshToken === null) return false;
  if (isDue(tokens, now)) return true;
  if (tokens.refreshEndsAt === null || tokens.refreshIsLast) return false;
  return now - tokens.issuedAt >= (tokens.refreshEndsAt - tokens.issuedAt) / 2;
}

/** When the next look at the tokens is worth it, ms from `now`; infinite where nothing will be due. */
export function untilRenewalMs(tokens: TokenSet, now: number): number {
  if (tokens.refreshToken === null) return Number.POSITIVE_INFINITY;
  const { issuedAt, accessEndsAt, refreshEndsAt, refreshIsLast } = tokens;
  const access =
    accessEndsAt === null ? Number.POSITIVE_INFINITY : accessEndsAt - marginOf(issuedAt, accessEndsAt);
  const refresh =
    refreshEndsAt === null || refreshIsLast ? Number.POSITIVE_INFINITY : (issuedAt + refreshEndsAt) / 2;
  return Math.max(0, Math.min(access, refresh) - now);
}

/** So long before its end a sign-in that Tilelift can't renew is told of. */
const warnedAheadMs = 7 * 24 * 60 * 60_000;

/**
 * When this sign-in ends unless a person signs in again; null where it continues by itself, as far as is
 * known, or the end is far. A sign-in that can be renewed is told of too once so little of its life is left:
 * renewing it must have failed for long.
 */
export function endsSoonAt(tokens: TokenSet, now: number): number | null {
  const { accessEndsAt, refreshToken, refreshEndsAt } = tokens;
  if (refreshToken === null)
    return accessEndsAt !== null && accessEndsAt - now <= warnedAheadMs ? accessEndsAt : null;
  if (refreshEndsAt === null) return null;
  const life = refreshEndsAt - tokens.issuedAt;
  const ahead = tokens.refreshIsLast ? warnedAheadMs : Math.min(warnedAheadMs, life / 4);
  return refreshEndsAt - now <= ahead ? Math.max(refreshEndsAt, accessEndsAt ?? 0) : null;
}

/**
 * The end that a token tells itself, where it is a JSON Web Token with `exp` (RFC 7519 4.1.4), ms since the
 * epoch; null for every other. Used to warn of it and for nothing else that could not be fixed: whether a
 * token is good, the service says.
 */
function endToldBy(accessToken: string): number | null {
  const claims = accessToken.split('.').length === 3 ? accessToken.split('.')[1] : undefined;
  const text = claims === undefined ? '' : Buffer.from(claims, 'base64url').toString('utf8');
  const { exp } = objectIn(text);
  return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : null;
}

/** True once the access token has ended by this computer's clock. That may be wrong: the service decides. */
export function isOver(tokens: TokenSet, now: number): boolean {
  return tokens.accessEndsAt !== null && now >= tokens.accessEndsAt;
}
