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

/** Signed-in accounts and the sign-in flow. Methods throw `ApiError`. */
export class AccountState {
  view: AccountView | null = $state.raw(null);
  adding = $state(false);
  /** The form asks for an access token instead of opening the browser. */
  byToken = $state(false);
  /** The account to sign in to again; null for a further one. */
  accountToRestore: NamedAccountView | null = $state.raw(null);
  renaming: NamedAccountView | null = $state.raw(null);
  /** Error of the last call from the welcome screen that `view` doesn't carry. */
  callError: ErrorRecord | null = $state.raw(null);
  lastService: ServiceView | null = $state.raw(null);
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  get service(): ServiceView | null {
    return this.view === null || this.view.kind === 'signed-out' ? null : this.view.service;
  }

  get signedOutAccounts(): readonly SignedOutView[] {
    return this.view?.signedOut ?? [];
  }

  get lostAccounts(): readonly SignedOutView[] {
    return this.signedOutAccounts.filter(({ isLost }) => isLost);
  }

  /** A lost sign-in doesn't hide the screens. */
  get hasScreens(): boolean {
    return this.isSignedIn || this.lostAccounts.length > 0;
  }

  get isSignedIn(): boolean {
    return this.view?.kind === 'signed-in';
  }

  /** Empty during a sign-in. */
  get accounts(): readonly SignedInView[] {
    return this.view?.kind === 'signed-in' ? this.view.accounts : [];
  }

  get currentId(): string | null {
    return this.view?.kind === 'signed-in' ? this.view.id : null;
  }

  /** The account of this window, even if its sign-in was lost. */
  get shownAccount(): NamedAccountView | null {
    return this.accounts.find(({ id }) => id === this.currentId) ?? this.lostAccounts[0] ?? null;
  }

  nameOf(accountId: string): string | null {
    const account = [...this.accounts, ...this.signedOutAccounts].find(({ id }) => id === accountId);
    return account?.name ?? null;
  }

  get hasSeveral(): boolean {
    return this.accounts.length + this.signedOutAccounts.length > 1;
  }

  get error(): ErrorRecord | null {
    return this.view?.kind === 'signed-in' || this.view?.kind === 'signed-out' ? this.view.error : null;
  }

  /** Subscribes before asking, so that no event is lost. Returns an unsubscribe function. */
  start(onFailure: (error: unknown) => void): () => void {
    let hasNews = false;
    const stop = this.#api.on('account.changed', (view) => {
      hasNews = true;
      this.view = view;
      if (view.kind !== 'signed-in' || view.error !== null) return;
      this.adding = false;
      this.byToken = false;
    });
    this.#api.call('account.state', null).then((view) => {
      if (!hasNews) this.view = view;
    }, onFailure);
    return stop;
  }

  signIn(service: ChosenServiceView, accountId?: string): Promise<void> {
    const signInWish = this.#signInWish(service, accountId);
    return this.#attempt(() => this.#api.call('account.signIn', signInWish));
  }

  useAccessToken(service: ServiceView, token: string, accountId?: string): Promise<void> {
    const signInWish = this.#signInWish(service, accountId);
    return this.#attempt(() => this.#api.call('account.useAccessToken', { ...signInWish, token }));
  }

  #signInWish(service: ChosenServiceView, accountId: string | undefined) {
    this.lastService = service;
    return { service: $state.snapshot(service), ...(accountId === undefined ? {} : { accountId }) };
  }

  openAgain(): Promise<void> {
    return this.#attempt(() => this.#api.call('account.openAgain', null));
  }

  avoidScheme(): Promise<void> {
    return this.#attempt(() => this.#api.call('account.avoidScheme', null));
  }

  copyLink(): Promise<void> {
    return this.#attempt(() => this.#api.call('account.copyLink', null));
  }

  cancel(): Promise<void> {
    return this.#attempt(() => this.#api.call('account.cancel', null));
  }

  /** Leaves the browser's sign-in for the form's access token. */
  async preferToken(): Promise<void> {
    const restore = this.adding ? this.accountToRestore : (this.lostAccounts[0] ?? null);
    await this.cancel();
    if (this.hasScreens) await this.addAccount(restore);
    this.byToken = true;
  }

  /** Opens the Welcome screen with a way back. */
  async addAccount(accountToRestore: NamedAccountView | null = null): Promise<void> {
    this.callError = null;
    await this.dismissError();
    this.accountToRestore = accountToRestore;
    this.adding = true;
  }

  stopAdding(): void {
    this.callError = null;
    this.adding = false;
  }

  async dismissError(): Promise<void> {
    if (this.error) await this.#api.call('account.dismissError', null);
  }

  async switchTo(accountId: string): Promise<void> {
    await this.#api.call('account.switch', accountId);
  }

  async rename(accountId: string, name: string): Promise<void> {
    await this.#api.call('account.rename', { id: accountId, name: name.trim() || null });
  }

  async forget(accountId: string): Promise<void> {
    await this.#api.call('account.forget', accountId);
  }

  async signOut(accountId: string): Promise<void> {
    await this.#api.call('account.signOut', accountId);
  }

  /** Throws `ApiError`: the field shows what is wrong with the address. */
  async pasteAddress(address: string): Promise<void> {
    await this.#api.call('account.pasteAddress', address);
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    this.callError = null;
    try {
      await work();
    } catch (error) {
      this.callError = errorViewOf(error);
    }
  }
}
