import { createHash } from 'node:crypto';
import type { KnownAccount } from '../../shared/schemas/accounts.ts';
import type { ErrorRecord, TileliftError } from '../errors.ts';
import type { ServiceAddress, ServiceApi } from '../service/model.ts';

/** The redirect address that Tilelift registers at every service. */
export const redirectUri = 'tilelift://oauth/callback';

/** The name that Tilelift registers at every service. */
export const clientName = 'Tilelift';

/** Contract 2.5, 4.1. */
export const scopes = 'assets:list assets:read assets:write';

/**
 * One user of one service. The service doesn't identify users, so the user chooses the account of a sign-in
 * and its name.
 */
export interface Account {
  /** Stable across sign-ins. */
  readonly id: string;
  readonly address: ServiceAddress;
}

interface SignedOutAccount extends Pick<KnownAccount, 'id' | 'baseUrl' | 'name' | 'number'> {
  /** True if the sign-in was refused, expired or disappeared from the keychain. */
  readonly isLost: boolean;
}

export interface SignedInAccount extends Account, Pick<KnownAccount, 'name' | 'number'> {
  /** An access token from the account's settings (contract 5, 2) is never refreshed. */
  readonly signedInBy: 'browser' | 'access-token';
  /**
   * When the user must sign in again, ms since the epoch; null if Tilelift renews it, the end is unknown, or
   * it is more than a week ahead.
   */
  readonly endsSoonAt: number | null;
}

/** Times are ms since the epoch. */
export type SignInState =
  | { readonly kind: 'signed-out'; readonly error: ErrorRecord | null }
  | { readonly kind: 'starting'; readonly address: ServiceAddress; readonly accountId: string }
  | {
      readonly kind: 'waiting-for-browser';
      readonly address: ServiceAddress;
      readonly accountId: string;
      /** The authorization page (contract 4.1); the renderer never sees it. */
      readonly link: string;
      readonly endsAt: number;
      /** An error that doesn't end the wait: the browser didn't open, or a pasted address is no callback. */
      readonly error: ErrorRecord | null;
    }
  | { readonly kind: 'exchanging'; readonly address: ServiceAddress; readonly accountId: string }
  | {
      readonly kind: 'signed-in';
      readonly account: Account;
      /** A newer sign-in failed. */
      readonly error?: ErrorRecord;
    };

export interface AccountService {
  /** Registers the client at every account's service and restores the stored sign-ins and pending request. */
  start(): Promise<void>;
  stop(): void;
  state(): SignInState;
  /** All usable accounts, including the current one. */
  accounts(): readonly SignedInAccount[];
  /**
   * ID of the account for new assets. Null if signed out, and after losing the sign-in of the account that
   * the user chose last: the window shows another account, which gets assets only if the user says so.
   */
  current(): string | null;
  /** All other remembered accounts; their jobs and rules wait for the next sign-in. */
  signedOut(): readonly SignedOutAccount[];
  /** Returns the default account of a service: `previous` if it is remembered there, else the first. */
  firstAt(baseUrl: string, previous?: string): string;
  /**
   * Registers unless the settings contain a client ID, then opens the authorization page in the browser.
   * Replaces a pending sign-in. Resolves when the wait for the callback begins or the sign-in fails; the
   * state says which.
   * @param accountId default: the service's only account if it is signed out, else a new one
   * @throws TileliftError `service-address-invalid`, the refusal of the service, or `not-signed-in` for an
   *   unknown account, before anything changes
   */
  signIn(address: ServiceAddress, accountId?: string): Promise<void>;
  /** Opens the pending sign-in's page again. */
  openAgain(): Promise<void>;
  cancelSignIn(): void;
  /**
   * Handles a callback from the system or the clipboard; resolves after the exchange and never rejects. A
   * well-formed callback with another state, or a late one, fails the pending request; a malformed one sets
   * `sign-in-address-invalid` and the wait continues. Without a pending request it is ignored.
   */
  handleCallback(address: string): Promise<void>;
  /**
   * Signs in with an access token from the account's settings after checking it; cancels a pending sign-in.
   * @throws TileliftError `access-token-refused`, those of `signIn`, or those of a failed request; no account
   *   changes then
   */
  useAccessToken(address: ServiceAddress, token: string, accountId?: string): Promise<void>;
  dismissError(): void;
  /**
   * Makes a signed-in account the current one and cancels a pending sign-in.
   * @throws TileliftError `not-signed-in`
   */
  switchTo(accountId: string): void;
  /**
   * Deletes the account's tokens (default: the current account) and switches to another one. Its jobs, ID and
   * name stay.
   */
  signOut(accountId?: string): void;
  /** Null restores the default name: the service's, numbered from the second account. */
  rename(accountId: string, name: string | null): void;
  /** Deletes the account with its tokens and name; its ID is never used again. */
  forget(accountId: string): void;
  /** Renews the sign-ins that are due. Runs on a timer as well; call it when the computer wakes. */
  keepFresh(): void;
  /**
   * The service's API as this account. Its calls throw `not-signed-in` or `invalid-credentials` without a
   * usable token.
   * @throws TileliftError if the service may not be used
   */
  serviceFor(accountId: string): ServiceApi;
  /** The error that `serviceFor` or its calls would throw before any request; null if none. */
  whyUnready(accountId: string): TileliftError | null;
  /** Returns an unsubscribe function. */
  onChange(listener: (state: SignInState) => void): () => void;
}

/** The ID of a service's first account, usable as a file name; further accounts have random IDs. */
export function accountIdOf(baseUrl: string): string {
  return createHash('sha256').update(baseUrl).digest('hex').slice(0, 16);
}
