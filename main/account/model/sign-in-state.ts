import { type ErrorRecord, TileliftError, toErrorRecord } from '../../errors.ts';
import { redactedStart } from '../../redact.ts';
import type { ServiceAddress } from '../../service/model.ts';
import type { PendingSignIn } from './authorization-request.ts';
import type { Callback } from './callback.ts';
import { type Account, redirectUri, type SignInState } from './model.ts';

/**
 * A pure state machine. Only a well-formed, timely callback with the pending state leads to `exchanging`,
 * once. `attempt` identifies replaced sign-ins; `previous` is the account to return to.
 */
export type SignIn =
  | { readonly kind: 'signed-out'; readonly error: ErrorRecord | null }
  | {
      readonly kind: 'starting';
      readonly attempt: number;
      readonly address: ServiceAddress;
      readonly accountId: string;
      readonly previous: Account | null;
    }
  | {
      readonly kind: 'waiting-for-browser';
      readonly attempt: number;
      readonly pending: PendingSignIn;
      readonly previous: Account | null;
      readonly error: ErrorRecord | null;
    }
  | {
      readonly kind: 'exchanging';
      readonly attempt: number;
      readonly pending: PendingSignIn;
      readonly code: string;
      readonly previous: Account | null;
    }
  | { readonly kind: 'signed-in'; readonly account: Account; readonly error: ErrorRecord | null };

/** Times are ms since the epoch. */
export type SignInEvent =
  | {
      readonly kind: 'restored';
      readonly attempt: number;
      readonly account: Account | null;
      readonly pending: PendingSignIn | null;
      readonly error: ErrorRecord | null;
    }
  | {
      readonly kind: 'begun';
      readonly attempt: number;
      readonly address: ServiceAddress;
      readonly accountId: string;
    }
  | { readonly kind: 'prepared'; readonly attempt: number; readonly pending: PendingSignIn }
  /** Registration or exchange failed. */
  | { readonly kind: 'failed'; readonly attempt: number; readonly error: ErrorRecord }
  /** Null: the browser opened. */
  | { readonly kind: 'browser'; readonly attempt: number; readonly error: ErrorRecord | null }
  /** Null: the address is no well-formed callback. */
  | {
      readonly kind: 'callback';
      readonly callback: Callback | null;
      /** It names another issuer (RFC 9207). */
      readonly isForeign: boolean;
      readonly nowMs: number;
    }
  | { readonly kind: 'time'; readonly nowMs: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'exchanged'; readonly attempt: number; readonly account: Account }
  | { readonly kind: 'chosen'; readonly account: Account }
  | { readonly kind: 'dismissed' }
  /** The account's tokens are gone: signed out (no error) or refused. */
  | {
      readonly kind: 'account-ended';
      readonly accountId: string;
      readonly error: ErrorRecord | null;
      readonly successor: Account | null;
    };

export const initialSignIn: SignIn = { kind: 'signed-out', error: null };

export function nextSignIn(state: SignIn, event: SignInEvent): SignIn {
  switch (event.kind) {
    case 'restored':
      return restore(state, event);
    case 'begun':
      return {
        kind: 'starting',
        attempt: event.attempt,
        address: event.address,
        accountId: event.accountId,
        previous: accountBehind(state),
      };
    case 'prepared':
      return state.kind === 'starting' && state.attempt === event.attempt
        ? {
            kind: 'waiting-for-browser',
            attempt: state.attempt,
            pending: event.pending,
            previous: state.previous,
            error: null,
          }
        : state;
    case 'failed':
      return (state.kind === 'starting' || state.kind === 'exchanging') && state.attempt === event.attempt
        ? settleSignIn(state.previous, event.error)
        : state;
    case 'browser':
      return state.kind === 'waiting-for-browser' && state.attempt === event.attempt
        ? { ...state, error: event.error }
        : state;
    case 'callback':
      return state.kind === 'waiting-for-browser' ? handleCallback(state, event) : state;
    case 'time':
      return state.kind === 'waiting-for-browser' && event.nowMs >= state.pending.endsAt
        ? settleSignIn(state.previous, toErrorRecord(new TileliftError('sign-in-timed-out')))
        : state;
    case 'cancelled':
      return state.kind === 'signed-in' || state.kind === 'signed-out'
        ? state
        : settleSignIn(state.previous, null);
    case 'exchanged':
      return state.kind === 'exchanging' && state.attempt === event.attempt
        ? { kind: 'signed-in', account: event.account, error: null }
        : state;
    case 'chosen':
      return settleSignIn(event.account, null);
    case 'dismissed':
      return 'error' in state && state.error ? { ...state, error: null } : state;
    case 'account-ended':
      return withoutAccount(state, event);
  }
}

function restore(state: SignIn, event: SignInEvent & { kind: 'restored' }): SignIn {
  if (state.kind !== 'signed-out') return state;
  const { attempt, account, pending: pendingSignIn, error } = event;
  if (!pendingSignIn) return settleSignIn(account, error);
  return { kind: 'waiting-for-browser', attempt, pending: pendingSignIn, previous: account, error: null };
}

function handleCallback(
  state: SignIn & { kind: 'waiting-for-browser' },
  { callback, isForeign, nowMs }: SignInEvent & { kind: 'callback' },
): SignIn {
  const fail = (error: TileliftError) => settleSignIn(state.previous, toErrorRecord(error));
  if (nowMs >= state.pending.endsAt) return fail(new TileliftError('sign-in-timed-out'));
  // Any program can send a malformed callback, so the wait continues.
  if (!callback) return { ...state, error: toErrorRecord(new TileliftError('sign-in-address-invalid')) };
  if (isForeign || callback.state !== state.pending.state) return fail(new TileliftError('sign-in-mismatch'));
  if (callback.kind === 'refused') return fail(refusal(callback));
  const { attempt, pending: pendingSignIn, previous } = state;
  return { kind: 'exchanging', attempt, pending: pendingSignIn, code: callback.code, previous };
}

function refusal({ error, description }: Callback & { kind: 'refused' }): TileliftError {
  if (error === 'access_denied') return new TileliftError('sign-in-denied');
  const message = redactedStart(description ?? '');
  const remote = { code: redactedStart(error), ...(message ? { message } : {}) };
  return new TileliftError('sign-in-failed', { remote });
}

function withoutAccount(state: SignIn, event: SignInEvent & { kind: 'account-ended' }): SignIn {
  const { accountId, error, successor } = event;
  if (accountBehind(state)?.id !== accountId) return state;
  if (state.kind !== 'signed-in' && state.kind !== 'signed-out') return { ...state, previous: successor };
  // The error would seem to concern the successor.
  return settleSignIn(successor, successor ? null : error);
}

/** The signed-in account, also during a newer sign-in. */
export function accountBehind(state: SignIn): Account | null {
  if (state.kind === 'signed-in') return state.account;
  return state.kind === 'signed-out' ? null : state.previous;
}

function settleSignIn(account: Account | null, error: ErrorRecord | null): SignIn {
  return account ? { kind: 'signed-in', account, error } : { kind: 'signed-out', error };
}

/** Strips code, verifier and state. */
export function publicState(state: SignIn): SignInState {
  switch (state.kind) {
    case 'signed-out':
      return state;
    case 'starting':
      return { kind: 'starting', address: state.address, accountId: state.accountId };
    case 'waiting-for-browser': {
      const { address, link, endsAt } = state.pending;
      const { accountId } = state.pending;
      const returnsByScheme = state.pending.redirectUri === redirectUri;
      return {
        kind: 'waiting-for-browser',
        address,
        accountId,
        link,
        returnsByScheme,
        endsAt,
        error: state.error,
      };
    }
    case 'exchanging':
      return { kind: 'exchanging', address: state.pending.address, accountId: state.pending.accountId };
    case 'signed-in':
      return { kind: 'signed-in', account: state.account, ...(state.error ? { error: state.error } : {}) };
  }
}
