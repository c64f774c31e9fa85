import type {
  AccountView,
  ChosenServiceView,
  ErrorRecord,
  NamedAccountView,
  ServiceView,
  SignedInView,
  SignedOutView,
} from '../../preload/contract.ts';
import { type Api, errorViewOf } from '../api.ts';

/** Who is signed in, and the way there. */
export class AccountState {
  /** Null until main has answered. */
  view: AccountView | null = $state.raw(null);
  /** True while the person, signed in already, is on the way to a further account. */
  adding = $state(false);
  /** The account that the person wants to sign in to in another way; null for a further one. */
  again: NamedAccountView | null = $state.raw(null);
  /** The account whose name the person changes. */
  renaming: NamedAccountView | null = $state.raw(null);
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

  /** All that are remembered and that nobody is signed in to. */
  get signedOut(): readonly SignedOutView[] {
    return this.view?.signedOut ?? [];
  }

  /** Those of them whose sign-in was lost. */
  get lost(): readonly SignedOutView[] {
    return this.signedOut.filter(({ isLost }) => isLost);
  }

  /** A lost sign-in takes nothing away from what the person sees. */
  get hasScreens(): boolean {
    return this.signedIn || this.lost.length > 0;
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

  /** The account that the window shows, or showed before its sign-in was lost. */
  get shown(): NamedAccountView | null {
    return this.accounts.find(({ id }) => id === this.currentId) ?? this.lost[0] ?? null;
  }

  /** Null for one that is not remembered. */
  nameOf(accountId: string): string | null {
    const one = [...this.accounts, ...this.signedOut].find(({ id }) => id === accountId);
    return one?.name ?? null;
  }

  /** True where an account has to be named: there is more than one. */
  get several(): boolean {
    return this.accounts.length + this.signedOut.length > 1;
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

  /** `accountId`: of a remembered account of the service. */
  signIn(service: ChosenServiceView, accountId?: string): Promise<void> {
    const wish = this.#wish(service, accountId);
    return this.#attempt(() => this.#api.call('account.signIn', wish));
  }

  useAccessToken(service: ServiceView, token: string, accountId?: string): Promise<void> {
    const wish = this.#wish(service, accountId);
    return this.#attempt(() => this.#api.call('account.useAccessToken', { ...wish, token }));
  }

  #wish(service: ChosenServiceView, accountId: string | undefined) {
    this.wanted = service;
    return { service: $state.snapshot(service), ...(accountId === undefined ? {} : { accountId }) };
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

  /** Leads to the Welcome screen, with the way back. `again`: to sign in to this one, in whichever way. */
  async addAccount(again: NamedAccountView | null = null): Promise<void> {
    this.callError = null;
    await this.dismissError();
    this.again = again;
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

  /** Throws `ApiError`. `name`: empty for that of the service. */
  async rename(accountId: string, name: string): Promise<void> {
    await this.#api.call('account.rename', { id: accountId, name: name.trim() || null });
  }

  /** Throws `ApiError`. */
  async forget(accountId: string): Promise<void> {
    await this.#api.call('account.forget', accountId);
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
