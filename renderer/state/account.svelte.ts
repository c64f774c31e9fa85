import type {
  AccountView,
  ChosenServiceView,
  ErrorRecord,
  ServiceView,
  SignedInView,
} from '../../preload/contract.ts';
import { type Api, errorViewOf } from '../api.ts';

/** Who is signed in, and the way there. */
export class AccountState {
  /** Null until main has answered. */
  view: AccountView | null = $state.raw(null);
  /** True while the person, signed in already, is on the way to a further account. */
  adding = $state(false);
  /** Of the last call from the welcome screen, where `view` does not carry it. */
  callError: ErrorRecord | null = $state.raw(null);
  /** The service that the person last wanted to sign in to. */
  wanted: ServiceView | null = $state.raw(null);
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  get service(): ServiceView | null {
    return this.view === null || this.view.kind === 'signed-out' ? null : this.view.service;
  }

  /** Whose sign-in was lost; null while someone is signed in, and where nobody was. */
  get lost(): ServiceView | null {
    return this.view === null || this.view.kind === 'signed-in' ? null : (this.view.lost ?? null);
  }

  /** A lost sign-in takes nothing away from what the person sees. */
  get hasScreens(): boolean {
    return this.signedIn || this.lost !== null;
  }

  get signedIn(): boolean {
    return this.view?.kind === 'signed-in';
  }

  /** All that are signed in; empty while a sign-in is under way. */
  get accounts(): readonly SignedInView[] {
    return this.view?.kind === 'signed-in' ? this.view.accounts : [];
  }

  get currentId(): string | null {
    return this.view?.kind === 'signed-in' ? this.view.id : null;
  }

  /** What came to nothing, in the state that it led to. */
  get error(): ErrorRecord | null {
    return this.view?.kind === 'signed-in' || this.view?.kind === 'signed-out' ? this.view.error : null;
  }

  /**
   * Listens first, then asks: an event that overtakes the answer is newer. Returns an unsubscribe function.
   */
  start(failed: (thrown: unknown) => void): () => void {
    let heard = false;
    const stop = this.#api.on('account.changed', (view) => {
      heard = true;
      this.view = view;
      if (view.kind === 'signed-in' && view.error === null) this.adding = false;
    });
    this.#api.call('account.state', null).then((view) => {
      if (!heard) this.view = view;
    }, failed);
    return stop;
  }

  signIn(service: ChosenServiceView): Promise<void> {
    this.wanted = service;
    return this.#attempt(() => this.#api.call('account.signIn', $state.snapshot(service)));
  }

  useAccessToken(service: ServiceView, token: string): Promise<void> {
    this.wanted = service;
    return this.#attempt(() =>
      this.#api.call('account.useAccessToken', { service: $state.snapshot(service), token }),
    );
  }

  openAgain(): Promise<void> {
    return this.#attempt(() => this.#api.call('account.openAgain', null));
  }

  copyLink(): Promise<void> {
    return this.#attempt(() => this.#api.call('account.copyLink', null));
  }

  cancel(): Promise<void> {
    return this.#attempt(() => this.#api.call('account.cancel', null));
  }

  /** Leads to the Welcome screen, with the way back. */
  async addAccount(): Promise<void> {
    this.callError = null;
    await this.dismissError();
    this.adding = true;
  }

  stopAdding(): void {
    this.callError = null;
    this.adding = false;
  }

  /** Throws `ApiError`. */
  async dismissError(): Promise<void> {
    if (this.error) await this.#api.call('account.dismissError', null);
  }

  /** Throws `ApiError`. */
  async switchTo(accountId: string): Promise<void> {
    await this.#api.call('account.switch', accountId);
  }

  /** Throws `ApiError`. */
  async signOut(accountId: string): Promise<void> {
    await this.#api.call('account.signOut', accountId);
  }

  /** Throws `ApiError`: the field says what is wrong with the address. */
  async pasteAddress(address: string): Promise<void> {
    await this.#api.call('account.pasteAddress', address);
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    this.callError = null;
    try {
      await work();
    } catch (thrown) {
      this.callError = errorViewOf(thrown);
    }
  }
}
