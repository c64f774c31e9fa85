import { createHash } from 'node:crypto';
import type { KnownAccount } from '../../../shared/schemas/accounts.ts';
import type { ErrorRecord, TileliftError } from '../../errors.ts';
import type { ServiceAddress, ServiceApi } from '../../service/model.ts';

export const redirectUri = 'tilelift://oauth/callback';

export const clientName = 'Tilelift';

/** Contract 2.5, 4.1. */
export const scopes = 'assets:list assets:read assets:write';

/** The service doesn't identify users, so the user chooses and names the account. */
export interface Account {
  /** Stable across sign-ins. */
  readonly id: string;
  readonly address: ServiceAddress;
}

interface SignedOutAccount extends Pick<KnownAccount, 'id' | 'baseUrl' | 'name' | 'number'> {
  /** The sign-in was refused, expired, or left the keychain. */
  readonly isLost: boolean;
}

export interface SignedInAccount extends Account, Pick<KnownAccount, 'name' | 'number'> {
  /** Access tokens from the account's settings (contract 5, 2) are never refreshed. */
  readonly signedInBy: 'browser' | 'access-token';
  /**
   * When the user must sign in again within a week, ms since the epoch; null if Tilelift renews it or the end
   * is unknown.
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
      /** The browser returns by our scheme, not by a port of this computer. */
      readonly returnsByScheme: boolean;
      readonly endsAt: number;
      /** The browser didn't open, or a pasted address is no callback. */
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
  /** Registers at every service and restores sign-ins and the pending request. */
  start(): Promise<void>;
  stop(): void;
  state(): SignInState;
  /** Includes the current one. */
  accounts(): readonly SignedInAccount[];
  /**
   * The account for new assets. Null if signed out or its sign-in was lost: another account is only shown.
   */
  current(): string | null;
  /** Their jobs and rules wait for the next sign-in. */
  signedOutAccounts(): readonly SignedOutAccount[];
  /** The service's default account: `previous` if remembered, else the first. */
  firstAt(baseUrl: string, previous?: string): string;
  /**
   * Registers and opens the authorization page; replaces a pending sign-in. Resolves when the callback is
   * awaited or the sign-in failed.
   * @param accountId default: the service's only account if signed out, else a new one
   * @throws TileliftError `service-address-invalid`, the refusal of the service, or `not-signed-in`, before
   *   anything changes
   */
  signIn(address: ServiceAddress, accountId?: string): Promise<void>;
  openAgain(): Promise<void>;
  /**
   * Starts the waiting sign-in again with a loopback redirect, for browsers that refuse our scheme. A client
   * ID from the settings keeps its redirect address. Never rejects.
   */
  avoidScheme(): Promise<void>;
  cancelSignIn(): void;
  /**
   * Resolves after the exchange; never rejects. A wrong state or a late callback fails the request; after a
   * malformed one the wait continues.
   */
  handleCallback(address: string): Promise<void>;
  /**
   * Checks the token and cancels a pending sign-in.
   * @throws TileliftError `access-token-refused`, those of `signIn` or of a failed request; no account
   *   changes then
   */
  useAccessToken(address: ServiceAddress, token: string, accountId?: string): Promise<void>;
  dismissError(): void;
  /**
   * Cancels a pending sign-in.
   * @throws TileliftError `not-signed-in`
   */
  switchTo(accountId: string): void;
  /** Deletes the tokens (default: the current account's). Jobs, ID and name stay. */
  signOut(accountId?: string): void;
  /** Null: the service's name, numbered from the second account. */
  rename(accountId: string, name: string | null): void;
  /** Deletes tokens and name; the ID is never used again. */
  forget(accountId: string): void;
  /** Also runs on a timer; call it when the computer wakes. */
  keepFresh(): void;
  /**
   * Its calls throw `not-signed-in` or `invalid-credentials` without a valid token.
   * @throws TileliftError if the service may not be used
   */
  serviceFor(accountId: string): ServiceApi;
  /** The error that a call would throw before any request; null if none. */
  whyUnready(accountId: string): TileliftError | null;
  /** Returns an unsubscribe function. */
  onChange(listener: (state: SignInState) => void): () => void;
}

/** The ID of a service's first account, usable as a file name; others are random. */
export function accountIdOf(baseUrl: string): string {
  return createHash('sha256').update(baseUrl).digest('hex').slice(0, 16);
}
