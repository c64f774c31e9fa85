import { createHash } from 'node:crypto';
import type { KnownAccount } from '../../shared/schemas/accounts.ts';
import type { ErrorRecord, TileliftError } from '../errors.ts';
import type { ServiceAddress, ServiceApi } from '../service/model.ts';

/** The redirect address that Tilelift registers everywhere: its own scheme. */
export const redirectUri = 'tilelift://oauth/callback';

/** The name under which Tilelift registers itself at every service. */
export const clientName = 'Tilelift';

/** Scopes that Tilelift asks for (contract 2.5, 4.1). */
export const scopes = 'assets:list assets:read assets:write';

/**
 * One signed-in user of one service. The service does not say who signed in, so the person does: by which
 * account a sign-in is for, and by a name.
 */
export interface Account {
  /** Stable over sign-ins of the same account. */
  readonly id: string;
  readonly address: ServiceAddress;
}

/** An account that someone was signed in to. */
interface SignedOutAccount extends Pick<KnownAccount, 'id' | 'baseUrl' | 'name' | 'number'> {
  /** Nobody signed out of it: its sign-in was refused, went out of date or is gone from the keychain. */
  readonly isLost: boolean;
}

export interface SignedInAccount extends Account, Pick<KnownAccount, 'name' | 'number'> {
  /** An access token of the account's settings (contract 5, 2) is never refreshed. */
  readonly signedInBy: 'browser' | 'access-token';
  /**
   * When it ends unless a person signs in again, ms since the epoch; null where Tilelift renews it itself,
   * the end is not known, or is more than a week ahead.
   */
  readonly endsSoonAt: number | null;
}

/** Where signing in stands. Times are ms since the epoch. */
export type SignInState =
  | { readonly kind: 'signed-out'; readonly error: ErrorRecord | null }
  | { readonly kind: 'starting'; readonly address: ServiceAddress; readonly accountId: string }
  | {
      readonly kind: 'waiting-for-browser';
      readonly address: ServiceAddress;
      readonly accountId: string;
      /** The authorization page (contract 4.1). Never shown to the renderer, only opened or copied. */
      readonly link: string;
      readonly endsAt: number;
      /**
       * What went wrong without ending the wait: the browser could not be opened (the link still works), or
       * what was pasted is no callback address.
       */
      readonly error: ErrorRecord | null;
    }
  | { readonly kind: 'exchanging'; readonly address: ServiceAddress; readonly accountId: string }
  | {
      readonly kind: 'signed-in';
      /** The current one. */
      readonly account: Account;
      /** Set when a newer sign-in, begun here, failed. */
      readonly error?: ErrorRecord;
    };

export interface AccountService {
  /**
   * Registers the client at every account's service (DCR at every launch) and takes up the kept sign-ins and
   * a kept pending request.
   */
  start(): Promise<void>;
  stop(): void;
  state(): SignInState;
  /** All that are signed in and may be used, the current one among them. */
  accounts(): readonly SignedInAccount[];
  /**
   * ID of the account that new assets go to unless another is named. Null while nobody is signed in, and
   * after the sign-in of the account that a person chose last was lost: the window then shows another one,
   * but nothing goes there unless a person says so.
   */
  current(): string | null;
  /** All others that are remembered, also after a restart. Their jobs and rules wait for the next sign-in. */
  signedOut(): readonly SignedOutAccount[];
  /**
   * Returns the account for a service of which nobody named an account: its first one, remembered or not.
   * @param previous the account that was used until now: it stays while it is remembered there
   */
  firstAt(baseUrl: string, previous?: string): string;
  /**
   * Registers, unless the settings name a client id of the person's own, and opens the authorization page in
   * the system browser. A newer call replaces an older one. Resolves when the wait for the callback has begun
   * or the sign-in has failed, which the state then says.
   *
   * @param accountId the account that is signed in to again, or anew; the service's first one may be unknown
   *   still. Default: the service's only account where nobody is signed in to it, else a further one beside
   *   those that are there
   * @throws TileliftError `service-address-invalid`, why the service may not be used, or `not-signed-in`
   *   where the service has no such account, before anything has changed
   */
  signIn(address: ServiceAddress, accountId?: string): Promise<void>;
  /** Opens the page of the pending sign-in again. */
  openAgain(): Promise<void>;
  cancelSignIn(): void;
  /**
   * A callback address, from the system or pasted. Resolves when the exchange is done; never rejects. One
   * that is well-formed but does not belong to the pending request (another state, none, late) ends that
   * request with an error and exchanges nothing. One that is malformed leaves the request waiting, with
   * `sign-in-address-invalid` as its error. With no request pending it is ignored.
   */
  handleCallback(address: string): Promise<void>;
  /**
   * Signs in with an access token of the account's settings instead of the browser, once the service has
   * accepted it. Ends a sign-in that is under way.
   * @param accountId as for `signIn`
   * @throws TileliftError `service-address-invalid`, why the service may not be used, `access-token-refused`,
   *   `not-signed-in` as for `signIn`, or what a failed request throws; no account has changed then
   */
  useAccessToken(address: ServiceAddress, token: string, accountId?: string): Promise<void>;
  /** Takes the error out of the state. */
  dismissError(): void;
  /**
   * Makes a signed-in account the current one, and ends a sign-in that is under way. Jobs stay with theirs.
   * @throws TileliftError `not-signed-in`
   */
  switchTo(accountId: string): void;
  /**
   * Forgets an account's tokens; default: the current one's, and another becomes the current one. Jobs stay,
   * and so do its id and its name.
   */
  signOut(accountId?: string): void;
  /** Gives it a name; null: that of its service, with a number where it is not the first one. */
  rename(accountId: string, name: string | null): void;
  /** Forgets an account, tokens and name. Nobody is ever signed in to it again. */
  forget(accountId: string): void;
  /**
   * Renews the sign-ins that are due, although nobody uses them: it does so by itself while it runs, and is
   * to be told when the computer wakes.
   */
  keepFresh(): void;
  /**
   * The service's API as this account. Its calls throw `not-signed-in` or `invalid-credentials` when there is
   * no usable token. Throws at once where the service may not be used.
   */
  serviceFor(accountId: string): ServiceApi;
  /** What that API would throw without asking anyone; null where someone is signed in and may be. */
  whyUnready(accountId: string): TileliftError | null;
  /** Returns an unsubscribe function. */
  onChange(listener: (state: SignInState) => void): () => void;
}

/**
 * The id of the first account at a service, fit for a file name, and what else is kept of the service goes
 * by. Further accounts have random ids.
 */
export function accountIdOf(baseUrl: string): string {
  return createHash('sha256').update(baseUrl).digest('hex').slice(0, 16);
}
