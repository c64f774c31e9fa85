import { z } from 'zod';
import { objectIn } from '../../service/who-answered.ts';
import { redirectUri as schemeRedirect } from '../model/model.ts';
import type { TokenAnswer } from './token-answer.ts';

/** Times are ms since the epoch. */
const tokenSetSchema = z.object({
  accessToken: z.string().min(1),
  /** Null: the sign-in ends with the access token. */
  refreshToken: z.string().min(1).nullable(),
  issuedAt: z.number(),
  accessEndsAt: z.number().nullable(),
  refreshEndsAt: z.number().nullable(),
  /** A refresh didn't extend the refresh token's life: the sign-in ends with it. */
  refreshIsLast: z.boolean().optional(),
  /** Null for an access token from the account's settings. */
  clientId: z.string().min(1).nullable(),
  /** Absent for our scheme's. */
  redirectUri: z.string().min(1).optional(),
});
export type TokenSet = Readonly<z.infer<typeof tokenSetSchema>>;

export const keptAccountSchema = z.object({
  address: z.object({ baseUrl: z.string(), authUrl: z.string() }),
  tokens: tokenSetSchema,
});
export type KeptAccount = z.infer<typeof keptAccountSchema>;

const fiveMinutes = 5 * 60_000;

/** Without a new refresh token the previous one stays valid (RFC 6749 section 6). */
export function tokenSetFrom(
  answer: TokenAnswer,
  { clientId, redirectUri }: { readonly clientId: string; readonly redirectUri: string },
  nowMs: number,
  previous: TokenSet | null = null,
): TokenSet {
  const endsAt = (seconds: number | undefined) => (seconds === undefined ? null : nowMs + seconds * 1000);
  const previousTokens = answer.refresh_token === undefined ? previous : null;
  const refreshEndsAt = endsAt(answer.refresh_token_expires_in) ?? previousTokens?.refreshEndsAt ?? null;
  const previousEndsAt = previous?.refreshEndsAt ?? null;
  // A few minutes are rounding, not a renewal.
  const isLast =
    previousEndsAt !== null && refreshEndsAt !== null && refreshEndsAt - previousEndsAt < fiveMinutes;
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? previousTokens?.refreshToken ?? null,
    issuedAt: nowMs,
    accessEndsAt: endsAt(answer.expires_in),
    refreshEndsAt,
    clientId,
    ...(redirectUri === schemeRedirect ? {} : { redirectUri }),
    ...(isLast ? { refreshIsLast: true } : {}),
  };
}

/** An access token from the account's settings (contract 5, 2) can't be refreshed. */
export function tokenSetOf(accessToken: string, nowMs: number): TokenSet {
  return {
    accessToken,
    refreshToken: null,
    issuedAt: nowMs,
    accessEndsAt: readTokenEnd(accessToken),
    refreshEndsAt: null,
    clientId: null,
  };
}

/**
 * True with 10 % or five minutes of the access token's life left, but not in its first half. False without a
 * known end.
 */
export function isDue(tokens: TokenSet, nowMs: number): boolean {
  if (tokens.accessEndsAt === null) return false;
  return tokens.accessEndsAt - nowMs <= marginOf(tokens.issuedAt, tokens.accessEndsAt);
}

function marginOf(issuedAt: number, accessEndsAt: number): number {
  const life = accessEndsAt - issuedAt;
  return Math.min(Math.max(life * 0.1, fiveMinutes), life / 2);
}

/** Also true after half of the refresh token's life, if refreshing extends it. */
export function isRenewalDue(tokens: TokenSet, nowMs: number): boolean {
  if (tokens.refreshToken === null) return false;
  if (isDue(tokens, nowMs)) return true;
  if (tokens.refreshEndsAt === null || tokens.refreshIsLast) return false;
  return nowMs - tokens.issuedAt >= (tokens.refreshEndsAt - tokens.issuedAt) / 2;
}

/** In ms; infinite if none will be due. */
export function untilRenewalMs(tokens: TokenSet, nowMs: number): number {
  if (tokens.refreshToken === null) return Number.POSITIVE_INFINITY;
  const { issuedAt, accessEndsAt, refreshEndsAt, refreshIsLast } = tokens;
  const access =
    accessEndsAt === null ? Number.POSITIVE_INFINITY : accessEndsAt - marginOf(issuedAt, accessEndsAt);
  const refresh =
    refreshEndsAt === null || refreshIsLast ? Number.POSITIVE_INFINITY : (issuedAt + refreshEndsAt) / 2;
  return Math.max(0, Math.min(access, refresh) - nowMs);
}

/** Warn this long before the end. */
const warningPeriodMs = 7 * 24 * 60 * 60_000;

/**
 * When the user must sign in again; null if far or renewed. Also warns near the end of a renewable sign-in:
 * renewing it has failed.
 */
export function endsSoonAt(tokens: TokenSet, nowMs: number): number | null {
  const { accessEndsAt, refreshToken, refreshEndsAt } = tokens;
  if (refreshToken === null)
    return accessEndsAt !== null && accessEndsAt - nowMs <= warningPeriodMs ? accessEndsAt : null;
  if (refreshEndsAt === null) return null;
  const life = refreshEndsAt - tokens.issuedAt;
  const leadTimeMs = tokens.refreshIsLast ? warningPeriodMs : Math.min(warningPeriodMs, life / 4);
  return refreshEndsAt - nowMs <= leadTimeMs ? Math.max(refreshEndsAt, accessEndsAt ?? 0) : null;
}

/** Reads `exp` of a JSON Web Token (RFC 7519 4.1.4), ms since the epoch, for warnings only; else null. */
function readTokenEnd(accessToken: string): number | null {
  const claims = accessToken.split('.').length === 3 ? accessToken.split('.')[1] : undefined;
  const text = claims === undefined ? '' : Buffer.from(claims, 'base64url').toString('utf8');
  const { exp } = objectIn(text);
  return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : null;
}

/** By this computer's clock; the service decides. */
export function hasExpired(tokens: TokenSet, nowMs: number): boolean {
  return tokens.accessEndsAt !== null && nowMs >= tokens.accessEndsAt;
}
