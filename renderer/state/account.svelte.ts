import type { AccountView, ErrorView, ServiceView } from '../../preload/contract.ts';
import { type Api, errorViewOf } from '../api.ts';

/** Who is signed in, and the way there. */
export class AccountState {
  /** Null until main has answered. */
  view: AccountView | null = $state.raw(null);
  /** Of the last call from the welcome screen, where `view` does not carry it. */
  callError: ErrorView | null = $state.raw(null);
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  get service(): ServiceView | null {
    return this.view === null || this.view.kind === 'signed-out' ? null : this.view.service;
  }

  get signedIn(): boolean {
    return this.view?.kind === 'signed-in';
  }

  /** Listens first and asks then: an event that overtakes the answer is the newer truth. Returns the way to stop. */
  start(failed: (thrown: unknown) => void): () => void {
    let heard = false;
    const stop = this.#api.on('account.changed', (view) => {
      heard = true;
      this.view = view;
    });
    this.#api.call('account.state', null).then((view) => {
      if (!heard) this.view = view;
    }, failed);
    return stop;
  }

  signIn(service: ServiceView): Promise<void> {
    return this.#attempt(() => this.#api.call('account.signIn', $state.snapshot(service)));
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

  signOut(): Promise<void> {
    return this.#attempt(() => this.#api.call('account.signOut', null));
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
