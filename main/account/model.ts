import type { ErrorRecord } from '../errors.ts';
import type { ServiceAddress, ServiceApi } from '../service/model.ts';

/** The one redirect address that Tilelift registers. */
export const redirectUri = 'tilelift://oauth/callback';

/** The name under which Tilelift registers itself at every service. */
export const clientName = 'Tilelift';

/** Scopes that Tilelift asks for (contract 2.5, 4.1). */
export const scopes = 'assets:list assets:read assets:write';

/** One signed-in user of one service. */
export interface Account {
  /** Stable over sign-ins to the same service. */
  readonly id: string;
  readonly address: ServiceAddress;
}

/** Where signing in stands. Times are ms since the epoch. */
export type SignInState =
  | { readonly kind: 'signed-out'; readonly error: ErrorRecord | null }
  | { readonly kind: 'starting'; readonly address: ServiceAddress }
  | {
      readonly kind: 'waiting-for-browser';
      readonly address: ServiceAddress;
      /** The authorization page (contract 4.1). Never shown to the renderer, only opened or copied. */
      readonly link: string;
      readonly endsAt: number;
      /** Set when the browser could not be opened; the link still works. */
      readonly error: ErrorRecord | null;
    }
  | { readonly kind: 'exchanging'; readonly address: ServiceAddress }
  | { readonly kind: 'signed-in'; readonly account: Account };

export interface AccountService {
  /** Registers the client at the current service (DCR at every launch) and takes up a kept sign-in or a kept pending request. */
  start(): Promise<void>;
  stop(): void;
  state(): SignInState;
  /** Registers, opens the authorization page in the system browser, and waits for the callback. A newer call replaces an older one. */
  signIn(address: ServiceAddress): Promise<void>;
  /** Opens the page of the pending sign-in again. */
  openAgain(): Promise<void>;
  cancelSignIn(): void;
  /**
   * A callback address, from the system or pasted. Whatever is not a well-formed callback that belongs to the pending
   * request changes nothing but, where there is one, ends the pending request with an error; nothing is exchanged.
   */
  handleCallback(address: string): Promise<void>;
  /** Forgets the tokens. Jobs stay. */
  signOut(): void;
  /** The service's API as this account. Its calls throw `not-signed-in` or `invalid-credentials` when there is no usable token. */
  serviceFor(accountId: string): ServiceApi;
  /** Returns the way to stop listening. */
  onChange(listener: (state: SignInState) => void): () => void;
}
