import { TileliftError } from '../../errors.ts';
import { type Log, silentLog } from '../../log.ts';
import type { Clock } from '../../ports.ts';
import { redirectUri } from '../model/model.ts';
import type { OAuthEndpoints } from './oauth-endpoints.ts';
import { hasExpired, isDue, isRenewalDue, type KeptAccount, type TokenSet, tokenSetFrom } from './tokens.ts';

interface TokenKeeperOptions {
  readonly storedAccount: KeptAccount | null;
  readonly endpointsAt: (baseUrl: string) => Pick<OAuthEndpoints, 'refresh'>;
  readonly clock: Clock;
  /** Null deletes it. Called before new tokens are used. */
  readonly store: (account: KeptAccount | null) => void;
  /** The service refused the sign-in; its tokens are deleted. */
  readonly onEnded: (error: TileliftError) => void;
  readonly log?: Log;
}

/** Keeps the tokens of one account fresh. */
export interface TokenKeeper {
  /**
   * Refreshes the token if due.
   * @throws TileliftError `not-signed-in`, `invalid-credentials`, or of a failed request if the token has
   *   expired
   */
  bearer(): Promise<string>;
  /** Replaces a refused token. Throws like `bearer`. */
  renew(usedToken: string): Promise<void>;
  /** Errors are logged and retried at the next call. Never rejects. */
  keepFresh(): Promise<void>;
  /** Ignores the result of a running refresh. */
  replace(account: KeptAccount | null): void;
}

/** A running refresh. */
interface Flight {
  readonly tokens: TokenSet;
  /** Without a new token the sign-in is over. */
  accessIsOver: boolean;
  finished: Promise<void>;
}

/** Before retrying a failed refresh while the token is valid. */
const pauseAfterFailureMs = 60_000;

export function createTokenKeeper(options: TokenKeeperOptions): TokenKeeper {
  const { endpointsAt, clock, store, onEnded, log = silentLog } = options;
  let storedAccount = options.storedAccount;
  /** Setting the clock doesn't change `elapsed`. */
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let flight: Flight | null = null;

  function current(): TokenSet {
    if (!storedAccount) throw new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });
    return storedAccount.tokens;
  }

  function replace(replacement: KeptAccount | null): void {
    store(replacement);
    storedAccount = replacement;
    pausedUntil = Number.NEGATIVE_INFINITY;
  }

  function end(error: TileliftError): void {
    replace(null);
    onEnded(error);
  }

  /** Concurrent callers share one refresh. */
  function refresh(tokens: TokenSet, accessIsOver: boolean): Promise<void> {
    if (flight?.tokens === tokens) {
      flight.accessIsOver ||= accessIsOver;
      return flight.finished;
    }
    const started: Flight = { tokens, accessIsOver, finished: Promise.resolve() };
    flight = started;
    started.finished = refreshNow(started).finally(() => {
      if (flight === started) flight = null;
    });
    return started.finished;
  }

  // No signal: a sent refresh has used up the refresh token, so store its result.
  async function refreshNow(flight: Flight): Promise<void> {
    const { tokens } = flight;
    const account = storedAccount;
    if (!account) return;
    try {
      if (tokens.refreshToken === null || tokens.clientId === null) {
        const subject = new URL(account.address.baseUrl).origin;
        throw new TileliftError('invalid-credentials', { subject });
      }
      const endpoints = endpointsAt(account.address.baseUrl);
      const { clientId, refreshToken } = tokens;
      const client = { clientId, redirectUri: tokens.redirectUri ?? redirectUri };
      const answer = await endpoints.refresh({ ...client, refreshToken });
      if (storedAccount !== account) return;
      replace({ ...account, tokens: tokenSetFrom(answer, client, clock.now(), tokens) });
      log.info({ baseUrl: account.address.baseUrl }, 'The access token was refreshed.');
    } catch (error) {
      if (storedAccount !== account) return;
      const isRefused = error instanceof TileliftError && error.code === 'invalid-credentials';
      if (!isRefused) pausedUntil = clock.elapsed() + pauseAfterFailureMs;
      else if (flight.accessIsOver) end(error);
      // Use the access token until it expires.
      else replace({ ...account, tokens: { ...tokens, refreshToken: null, refreshEndsAt: null } });
      throw error;
    }
  }

  return {
    bearer: async () => {
      const tokens = current();
      const nowMs = clock.now();
      const isUsable = !hasExpired(tokens, nowMs);
      const isPaused = clock.elapsed() < pausedUntil;
      const skipsRefresh = tokens.refreshToken === null || (isUsable && isPaused);
      if (skipsRefresh || !isDue(tokens, nowMs)) return tokens.accessToken;
      try {
        await refresh(tokens, !isUsable);
      } catch (cause) {
        if (!isUsable || storedAccount?.tokens.accessToken !== tokens.accessToken) throw cause;
        log.warn({ cause }, 'The access token could not be refreshed yet; it is still good.');
      }
      return current().accessToken;
    },

    renew: async (usedToken) => {
      const tokens = current();
      if (tokens.accessToken === usedToken) await refresh(tokens, true);
    },

    keepFresh: async () => {
      const tokens = storedAccount?.tokens;
      if (!tokens || clock.elapsed() < pausedUntil || !isRenewalDue(tokens, clock.now())) return;
      try {
        await refresh(tokens, hasExpired(tokens, clock.now()));
      } catch (cause) {
        log.warn({ cause }, 'The sign-in could not be renewed in the background.');
      }
    },

    replace,
  };
}
