import { type ErrorRecord, TileliftError, toErrorRecord } from '../errors.ts';
import { redactedStart } from '../redact.ts';
import type { ServiceAddress } from '../service/model.ts';
import type { PendingSignIn } from './authorization-request.ts';
import type { Callback } from './callback.ts';
import { type Account, accountIdOf, type SignInState } from './model.ts';

/**
 * Signing in as a state machine: pure and total. Nothing but a well-formed, timely callback with the state of
 * the one pending request leads to `exchanging`, and it does so once. `attempt` tells what belongs to a
 * sign-in that has been replaced; `before` is the account that was signed in when this sign-in began, and
 * comes back if it comes to nothing.
 */
export type SignIn =
  | { readonly kind: 'signed-out'; readonly error: ErrorRecord | null }
  | {
      readonly kind: 'starting';
      readonly attempt: number;
      readonly address: ServiceAddress;
      readonly accountId: string;
      readonly before: Account | null;
    }
  | {
      readonly kind: 'waiting-for-browser';
      readonly attempt: number;
      readonly pending: PendingSignIn;
      readonly before: Account | null;
      /** What went wrong without ending the wait. */
      readonly error: ErrorRecord | null;
    }
  | {
      readonly kind: 'exchanging';
      readonly attempt: number;
      readonly pending: PendingSignIn;
      readonly code: string;
      readonly before: Account | null;
    }
  | { readonly kind: 'signed-in'; readonly account: Account; readonly error: ErrorRecord | null };

/** Times are ms since the epoch. */
export type SignInEvent =
  /** What the vault held at the start. */
  | {
      readonly kind: 'restored';
      readonly attempt: number;
      readonly account: Account | null;
      readonly pending: PendingSignIn | null;
      /** Why a kept sign-in could not be taken up. */
      readonly error: ErrorRecord | null;
    }
  | {
      readonly kind: 'begun';
      readonly attempt: number;
      readonly address: ServiceAddress;
      readonly accountId: string;
    }
  | { readonly kind: 'prepared'; readonly attempt: number; readonly pending: PendingSignIn }
  /** Registration or exchange came to nothing. */
  | { readonly kind: 'failed'; readonly attempt: number; readonly error: ErrorRecord }
  /** The browser was asked for; null when it opened. */
  | { readonly kind: 'browser'; readonly attempt: number; readonly error: ErrorRecord | null }
  /** An address arrived; null when it was no well-formed callback. */
  | {
      readonly kind: 'callback';
      readonly callback: Callback | null;
      /** It names another issuer than that of the pending request (RFC 9207). */
      readonly isForeign: boolean;
      readonly now: number;
    }
  | { readonly kind: 'time'; readonly now: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'exchanged'; readonly attempt: number; readonly account: Account }
  /** The person chose an account that is signed in. */
  | { readonly kind: 'chosen'; readonly account: Account }
  /** The person has read what came to nothing. */
  | { readonly kind: 'dismissed' }
  /**
   * The tokens of an account are gone: signed out (no error) or refused by the service. `successor` is
   * another account that stays.
   */
  | {
      readonly kind: 'account-ended';
      readonly accountId: string;
      readonly error: ErrorRecord | null;
      readonly successor: Account | null;
    };

export const initialSignIn: SignIn = { kind: 'signed-out', error: null };

export function next(state: SignIn, event: SignInEvent): SignIn {
  switch (event.kind) {
    case 'restored':
      return restore(state, event);
    case 'begun':
      return {
        kind: 'starting',
        attempt: event.attempt,
        address: event.address,
        accountId: event.accountId,
        before: accountBehind(state),
      };
    case 'prepared':
      return state.kind === 'starting' && state.attempt === event.attempt
        ? {
            kind: 'waiting-for-browser',
            attempt: state.attempt,
            pending: event.pending,
            before: state.before,
            error: null,
          }
        : state;
    case 'failed':
      return (state.kind === 'starting' || state.kind === 'exchanging') && state.attempt === event.attempt
        ? rest(state.before, event.error)
        : state;
    case 'browser':
      return state.kind === 'waiting-for-browser' && state.attempt === event.attempt
        ? { ...state, error: event.error }
        : state;
    case 'callback':
      return state.kind === 'waiting-for-browser' ? answered(state, event) : state;
    case 'time':
      return state.kind === 'waiting-for-browser' && event.now >= state.pending.endsAt
        ? rest(state.before, toErrorRecord(new TileliftError('sign-in-timed-out')))
        : state;
    case 'cancelled':
      return state.kind === 'signed-in' || state.kind === 'signed-out' ? state : rest(state.before, null);
    case 'exchanged':
      return state.kind === 'exchanging' && state.attempt === event.attempt
        ? { kind: 'signed-in', account: event.account, error: null }
        : state;
    case 'chosen':
      return rest(event.account, null);
    case 'dismissed':
      return 'error' in state && state.error ? { ...state, error: null } : state;
    case 'account-ended':
      return withoutAccount(state, event);
  }
}

function restore(state: SignIn, event: SignInEvent & { kind: 'restored' }): SignIn {
  if (state.kind !== 'signed-out') return state;
  const { attempt, account, pending, error } = event;
  if (!pending) return rest(account, error);
  return { kind: 'waiting-for-browser', attempt, pending, before: account, error: null };
}

/** The heart of it: whether a callback belongs to the pending request. */
function answered(
  state: SignIn & { kind: 'waiting-for-browser' },
  { callback, isForeign, now }: SignInEvent & { kind: 'callback' },
): SignIn {
  const fail = (error: TileliftError) => rest(state.before, toErrorRecord(error));
  if (now >= state.pending.endsAt) return fail(new TileliftError('sign-in-timed-out'));
  // Says nothing about the request, and anyone can send one: the wait continues.
  if (!callback) return { ...state, error: toErrorRecord(new TileliftError('sign-in-address-invalid')) };
  if (isForeign || callback.state !== state.pending.state) return fail(new TileliftError('sign-in-mismatch'));
  if (callback.kind === 'refused') return fail(refusal(callback));
  const { attempt, pending, before } = state;
  return { kind: 'exchanging', attempt, pending, code: callback.code, before };
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
  if (state.kind !== 'signed-in' && state.kind !== 'signed-out') return { ...state, before: successor };
  // Over the one that takes its place the error would be taken for that one's.
  return rest(successor, successor ? null : error);
}

/** The account that is signed in, also while a newer sign-in is under way. */
export function accountBehind(state: SignIn): Account | null {
  if (state.kind === 'signed-in') return state.account;
  return state.kind === 'signed-out' ? null : state.before;
}

function rest(account: Account | null, error: ErrorRecord | null): SignIn {
  return account ? { kind: 'signed-in', account, error } : { kind: 'signed-out', error };
}

/** Whom a pending request signs in. */
export function accountOf({ accountId, address }: PendingSignIn): string {
  return accountId ?? accountIdOf(address.baseUrl);
}

/** What the rest of Tilelift sees: without code, verifier and state. */
export function publicState(state: SignIn): SignInState {
  switch (state.kind) {
    case 'signed-out':
      return state;
    case 'starting':
      return { kind: 'starting', address: state.address, accountId: state.accountId };
    case 'waiting-for-browser': {
      const { address, link, endsAt } = state.pending;
      const accountId = accountOf(state.pending);
      return { kind: 'waiting-for-browser', address, accountId, link, endsAt, error: state.error };
    }
    case 'exchanging':
      return {
        kind: 'exchanging',
        address: state.pending.address,
        accountId: accountOf(state.pending),
      };
    case 'signed-in':
      return { kind: 'signed-in', account: state.account, ...(state.error ? { error: state.error } : {}) };
  }
}
