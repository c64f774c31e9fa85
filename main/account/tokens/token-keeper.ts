import { TileliftError } from '../../errors.ts';
import { type Log, silentLog } from '../../log.ts';
import type { Clock } from '../../outside.ts';
import { redirectUri } from '../model.ts';
import type { OAuthEndpoints } from '../oauth-endpoints.ts';
import { isDue, isOver, isRenewalDue, type KeptAccount, type TokenSet, tokenSetFrom } from './tokens.ts';

interface TokenKeeperOptions {
  /** What the vault held for the account, null for nothing. */
  readonly kept: KeptAccount | null;
  readonly endpointsAt: (baseUrl: string) => Pick<OAuthEndpoints, 'refresh'>;
  readonly clock: Clock;
  /** Puts the account into the vault, or takes it out. Called before new tokens are used. */
  readonly store: (kept: KeptAccount | null) => void;
  /** The service refused the sign-in for good; the tokens are gone already. */
  readonly onEnded: (error: TileliftError) => void;
  readonly log?: Log;
}

/** The tokens of one account, kept fresh. */
export interface TokenKeeper {
  /**
   * The access token to use now, refreshed first when it is due.
   * @throws TileliftError `not-signed-in` without tokens, `invalid-credentials` when the service refuses to
   *   refresh, and what a failed request throws when the token has ended and can't be refreshed now
   */
  bearer(): Promise<string>;
  /** The service refused this token: resolves when another one is there. Throws as `bearer` does. */
  renew(usedToken: string): Promise<void>;
  /**
   * Refreshes where it is due although nobody asks; what goes wrong is for the log, and tried again at the
   * next call. Never rejects.
   */
  keepFresh(): Promise<void>;
  /** Takes new tokens, or none. A refresh that is under way for the old ones no longer counts. */
  replace(kept: KeptAccount | null): void;
}

/** A refresh under way. */
interface Flight {
  readonly tokens: TokenSet;
  /** Someone waits whose access token was refused or has ended: without a new one the sign-in is over. */
  accessIsOver: boolean;
  done: Promise<void>;
}

/** After a refresh that could not be sent, a token that still lives is used this long before the next try. */
const pauseAfterFailureMs = 60_000;

export function createTokenKeeper(options: TokenKeeperOptions): TokenKeeper {
  const { endpointsAt, clock, store, onEnded, log = silentLog } = options;
  let kept = options.kept;
  /** By `clock.elapsed()`: a clock that is set does not lengthen it. */
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let flight: Flight | null = null;

  function current(): TokenSet {
    if (!kept) throw new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });
    return kept.tokens;
  }

  function replace(next: KeptAccount | null): void {
    store(next);
    kept = next;
    pausedUntil = Number.NEGATIVE_INFINITY;
  }

  function end(error: TileliftError): void {
    replace(null);
    onEnded(error);
  }

  /** One refresh at a time for one set of tokens, whoever asks. */
  function refresh(tokens: TokenSet, accessIsOver: boolean): Promise<void> {
    if (flight?.tokens === tokens) {
      flight.accessIsOver ||= accessIsOver;
      return flight.done;
    }
    const started: Flight = { tokens, accessIsOver, done: Promise.resolve() };
    flight = started;
    started.done = refreshNow(started).finally(() => {
      if (flight === started) flight = null;
    });
    return started.done;
  }

  // Takes no signal: a refresh that was sent has spent the refresh token, so its answer must be kept whoever
  // still wants it.
  async function refreshNow(started: Flight): Promise<void> {
    const { tokens } = started;
    const account = kept;
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
      if (kept !== account) return;
      replace({ ...account, tokens: tokenSetFrom(answer, client, clock.now(), tokens) });
      log.info({ baseUrl: account.address.baseUrl }, 'The access token was refreshed.');
    } catch (error) {
      if (kept !== account) return;
      const refused = error instanceof TileliftError && error.code === 'invalid-credentials';
      if (!refused) pausedUntil = clock.elapsed() + pauseAfterFailureMs;
      else if (started.accessIsOver) end(error);
      // A refused refresh token is not tried again; the access token serves until it ends.
      else replace({ ...account, tokens: { ...tokens, refreshToken: null, refreshEndsAt: null } });
      throw error;
    }
  }

  return {
    bearer: async () => {
      const tokens = current();
      const now = clock.now();
      const usable = !isOver(tokens, now);
      const paused = clock.elapsed() < pausedUntil;
      const wait = tokens.refreshToken === null || (usable && paused);
      if (wait || !isDue(tokens, now)) return tokens.accessToken;
      try {
        await refresh(tokens, !usable);
      } catch (cause) {
        if (!usable || kept?.tokens.accessToken !== tokens.accessToken) throw cause;
        log.warn({ cause }, 'The access token could not be refreshed yet; it is still good.');
      }
      return current().accessToken;
    },

    renew: async (usedToken) => {
      const tokens = current();
      if (tokens.accessToken === usedToken) await refresh(tokens, true);
    },

    keepFresh: async () => {
      const tokens = kept?.tokens;
      if (!tokens || clock.elapsed() < pausedUntil || !isRenewalDue(tokens, clock.now())) return;
      try {
        await refresh(tokens, isOver(tokens, clock.now()));
      } catch (cause) {
        log.warn({ cause }, 'The sign-in could not be renewed in the background.');
      }
    },

    replace,
  };
}
