import { type ErrorRecord, TileliftError, toErrorRecord } from '../errors.ts';
import { createListeners } from '../listeners.ts';
import { type Log, silentLog } from '../log.ts';
import type { Clock, OpenBrowser } from '../ports.ts';
import type { Network } from '../service/http-request.ts';
import type { ServiceAddress, ServiceApi } from '../service/model.ts';
import type { SettingsPort } from '../settings-port.ts';
import { createBrowserReturn } from './browser-return.ts';
import { type ClientIds, createClientRegistration } from './client-registration.ts';
import { createIssuers } from './issuers.ts';
import { type AccountSettings, createKnownAccounts, type KnownAccounts } from './known-accounts.ts';
import type { OpenCallbackReceiver } from './loopback-receiver.ts';
import { createPendingSignIn } from './model/authorization-request.ts';
import { parseCallback } from './model/callback.ts';
import type { Account, AccountService, SignedInAccount, SignInState } from './model/model.ts';
import {
  accountBehind,
  initialSignIn,
  nextSignIn,
  publicState,
  type SignIn,
  type SignInEvent,
} from './model/sign-in-state.ts';
import { checkAccessToken } from './tokens/access-token.ts';
import { type AccountTokens, createAccountTokens } from './tokens/account-tokens.ts';
import { createFreshness } from './tokens/freshness.ts';
import { createOAuthEndpoints } from './tokens/oauth-endpoints.ts';
import { createTokenBodies, type TokenBodies } from './tokens/token-answer.ts';
import { tokenSetFrom, tokenSetOf } from './tokens/tokens.ts';
import { UsableAccounts } from './usable-accounts.ts';
import { createPendingStore } from './vault/pending-store.ts';
import type { Vault } from './vault/vault.ts';

export interface AccountServiceOptions extends Network {
  readonly openBrowser: OpenBrowser;
  readonly vault: Vault;
  readonly settings: SettingsPort<AccountSettings> & ClientIds;
  readonly log?: Log;
  /** Used while no program is registered for our scheme. Default: one always is. */
  readonly openReceiver?: OpenCallbackReceiver | undefined;
  /** Returns why the service may not be used, null if it may. Default: every service may. */
  readonly refuseService?: ((address: ServiceAddress) => TileliftError | null) | undefined;
  /** Throws for addresses that the browser may not open. Default: none. */
  readonly checkAddress?: ((address: ServiceAddress) => Promise<void>) | undefined;
}

/** Executes the transitions of `sign-in-state.ts`. */
export class OAuthAccounts implements AccountService {
  readonly #clock: Clock;
  readonly #network: Network;
  readonly #log: Log;
  readonly #openBrowser: OpenBrowser;
  readonly #settings: AccountServiceOptions['settings'];
  readonly #refuse: (address: ServiceAddress) => TileliftError | null;
  readonly #checkAddress: (address: ServiceAddress) => Promise<void>;
  readonly #registration: ReturnType<typeof createClientRegistration>;
  readonly #pendingStore: ReturnType<typeof createPendingStore>;
  readonly #issuers: ReturnType<typeof createIssuers>;
  readonly #knownAccounts: KnownAccounts;
  readonly #usableAccounts: UsableAccounts;
  readonly #bodies: TokenBodies;
  readonly #tokens: AccountTokens;
  readonly #browserReturn: ReturnType<typeof createBrowserReturn>;
  readonly #freshness: ReturnType<typeof createFreshness>;
  readonly #listeners = createListeners<[state: SignInState]>();
  readonly #life = new AbortController();
  #state: SignIn = initialSignIn;
  #attempts = 0;
  #work = new AbortController();
  #wait = new AbortController();
  #waitBegan: { readonly nowMs: number; readonly elapsed: number };

  constructor(options: AccountServiceOptions) {
    const { clock, vault, settings, log = silentLog } = options;
    this.#clock = clock;
    this.#openBrowser = options.openBrowser;
    this.#settings = settings;
    this.#log = log;
    this.#network = { fetch: options.fetch, clock };
    this.#refuse = options.refuseService ?? (() => null);
    this.#checkAddress = options.checkAddress ?? (async () => {});
    this.#registration = createClientRegistration({ vault, settings, network: this.#network, log });
    this.#pendingStore = createPendingStore(vault, log);
    this.#issuers = createIssuers(vault);
    this.#knownAccounts = createKnownAccounts(settings);
    this.#bodies = createTokenBodies(vault, log);
    this.#tokens = createAccountTokens({
      ...this.#network,
      vault,
      log,
      bodies: this.#bodies,
      refuseService: this.#refuse,
      onEnded: (accountId, error) => this.#endAccount(accountId, toErrorRecord(error)),
    });
    this.#usableAccounts = new UsableAccounts({
      knownAccounts: this.#knownAccounts,
      tokens: this.#tokens,
      refuse: this.#refuse,
    });
    this.#browserReturn = createBrowserReturn(
      options.openReceiver ?? (async () => null),
      (callback) => this.#receive(callback),
      log,
    );
    this.#waitBegan = { nowMs: clock.now(), elapsed: clock.elapsed() };
    this.#freshness = createFreshness({
      tokens: this.#tokens,
      clock,
      signal: this.#life.signal,
      onChange: () => this.#notify(),
    });
  }

  async start(): Promise<void> {
    const { currentAccount, currentService } = this.#settings.get();
    const unreadableIds = this.#tokens.dropUnreadable();
    this.#knownAccounts.adopt(
      this.#tokens.accounts().map(({ id, address }) => ({ id, baseUrl: address.baseUrl })),
    );
    const refusal = this.#usableAccounts.refusal();
    const accountsToList = this.#usableAccounts.list().map(withoutFacts);
    const account =
      accountsToList.find(({ id }) => id === currentAccount) ??
      accountsToList.find(({ address }) => address.baseUrl === currentService) ??
      accountsToList[0] ??
      null;
    const storedRequest = this.#pendingStore.read(this.#clock.now());
    const pendingSignIn = storedRequest && !this.#refuse(storedRequest.address) ? storedRequest : null;
    const trouble = refusal ?? (unreadableIds.length > 0 ? new TileliftError('sign-in-unreadable') : null);
    const error = trouble && toErrorRecord(trouble);
    this.#apply({
      kind: 'restored',
      attempt: this.#newAttempt().attempt,
      account,
      pending: pendingSignIn,
      error,
    });
    if (pendingSignIn) await this.#browserReturn.openAgain(pendingSignIn.redirectUri);
    this.#freshness.start();
    const services = this.#usableAccounts.servicesThatNeedClients(currentService);
    if (pendingSignIn) services.add(pendingSignIn.address.baseUrl);
    for (const baseUrl of services) {
      this.#registration.clientIdAt(baseUrl, this.#life.signal).catch((cause: unknown) => {
        if (!this.#life.signal.aborted) this.#log.warn({ baseUrl, cause }, 'Registration at start failed.');
      });
    }
  }

  stop(): void {
    this.#life.abort();
    this.#work.abort();
    this.#wait.abort();
    this.#browserReturn.closeReceiver();
    this.#listeners.clear();
  }

  state(): SignInState {
    return publicState(this.#state);
  }

  accounts(): readonly SignedInAccount[] {
    return this.#usableAccounts.list();
  }

  current(): string | null {
    const id = this.#state.kind === 'signed-in' ? this.#state.account.id : null;
    return id === this.#settings.get().currentAccount ? id : null;
  }

  signedOutAccounts(): ReturnType<AccountService['signedOutAccounts']> {
    return this.#usableAccounts.signedOutAccounts();
  }

  firstAt(baseUrl: string, previous?: string): string {
    return this.#usableAccounts.firstAt(baseUrl, previous);
  }

  async signIn(enteredAddress: ServiceAddress, requested?: string): Promise<void> {
    await this.#beginSignIn(this.#usableAccounts.accountFor(enteredAddress, requested));
  }

  async avoidScheme(): Promise<void> {
    if (this.#state.kind !== 'waiting-for-browser') return;
    const { pending: pendingSignIn } = this.#state;
    await this.#beginSignIn({ id: pendingSignIn.accountId, address: pendingSignIn.address }, true);
  }

  async #beginSignIn({ id: accountId, address }: Account, avoidsScheme = false): Promise<void> {
    const { attempt, signal } = this.#newAttempt();
    this.#apply({ kind: 'begun', attempt, address, accountId });
    try {
      await this.#checkAddress(address);
      // A client ID from the settings has its own redirect address.
      const isOwn = this.#registration.hasOwn(address.baseUrl);
      const loopbackUri = isOwn ? undefined : await this.#browserReturn.openReceiver(avoidsScheme);
      if (avoidsScheme && !isOwn && loopbackUri === undefined)
        throw new TileliftError('sign-in-port-blocked');
      const clientId = await this.#registration.clientIdAt(address.baseUrl, signal, loopbackUri);
      const nowMs = this.#clock.now();
      const pendingSignIn = await createPendingSignIn(address, accountId, clientId, nowMs, loopbackUri);
      if (signal.aborted) return;
      this.#pendingStore.write(pendingSignIn);
      this.#apply({ kind: 'prepared', attempt, pending: pendingSignIn });
    } catch (error) {
      if (signal.aborted) return;
      this.#browserReturn.closeReceiver();
      this.#log.warn({ error }, 'The sign-in could not begin.');
      this.#apply({ kind: 'failed', attempt, error: toErrorRecord(error) });
      return;
    }
    await this.openAgain();
  }

  async openAgain(): Promise<void> {
    if (this.#state.kind !== 'waiting-for-browser') return;
    const { attempt, pending: pendingSignIn } = this.#state;
    try {
      await this.#openBrowser(pendingSignIn.link);
      this.#apply({ kind: 'browser', attempt, error: null });
    } catch (cause) {
      this.#log.warn({ cause }, 'The browser could not be opened.');
      const error = toErrorRecord(new TileliftError('browser-not-opened', { cause }));
      this.#apply({ kind: 'browser', attempt, error });
    }
  }

  cancelSignIn(): void {
    this.#work.abort();
    this.#apply({ kind: 'cancelled' });
  }

  async useAccessToken(
    enteredAddress: ServiceAddress,
    typedToken: string,
    requested?: string,
  ): Promise<void> {
    const account = this.#usableAccounts.accountFor(enteredAddress, requested);
    const { address } = account;
    this.cancelSignIn();
    const { signal } = this.#newAttempt();
    const token = await checkAccessToken(address, typedToken, this.#network, this.#log, signal);
    signal.throwIfAborted();
    this.#usableAccounts.store(account, tokenSetOf(token, this.#clock.now()));
    this.#apply({ kind: 'chosen', account });
    this.#log.info({ baseUrl: address.baseUrl }, 'signed in with an access token');
  }

  dismissError(): void {
    this.#apply({ kind: 'dismissed' });
  }

  switchTo(accountId: string): void {
    const account = this.#usableAccounts.list().find(({ id }) => id === accountId);
    if (!account) throw new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });
    this.#work.abort();
    this.#apply({ kind: 'chosen', account: withoutFacts(account) });
  }

  async handleCallback(callbackAddress: string): Promise<void> {
    const pendingSignIn = this.#state.kind === 'waiting-for-browser' ? this.#state.pending : null;
    const callback = parseCallback(callbackAddress, pendingSignIn?.redirectUri);
    const iss = callback?.iss ?? null;
    const isForeign =
      iss !== null && pendingSignIn !== null && !(await this.#issuers.isOf(pendingSignIn.address, iss));
    const previous = this.#state;
    this.#apply({ kind: 'callback', callback, isForeign, nowMs: this.#waitNow() });
    const state = this.#state;
    if (state === previous) this.#log.info({ state: state.kind }, 'A callback came that nothing waits for.');
    else if (state.kind === 'exchanging') await this.#exchange(state, iss);
  }

  signOut(accountId = accountBehind(this.#state)?.id): void {
    this.cancelSignIn();
    if (accountId === undefined) return;
    this.#knownAccounts.recordSignOut(accountId);
    this.#tokens.keep(accountId, null);
    this.#endAccount(accountId, null);
  }

  rename(accountId: string, name: string | null): void {
    this.#knownAccounts.rename(accountId, name);
    this.#notify();
  }

  forget(accountId: string): void {
    this.#tokens.keep(accountId, null);
    this.#knownAccounts.forget(accountId);
    this.#endAccount(accountId, null);
  }

  keepFresh(): void {
    this.#freshness.checkNow();
  }

  serviceFor(accountId: string): ServiceApi {
    return this.#tokens.serviceFor(accountId);
  }

  whyUnready(accountId: string): TileliftError | null {
    return this.#tokens.whyUnready(accountId);
  }

  onChange(listener: (state: SignInState) => void): () => void {
    return this.#listeners.add(listener);
  }

  #apply(event: SignInEvent): void {
    const previous = this.#state;
    const state = nextSignIn(previous, event);
    this.#state = state;
    if (state === previous) return;
    this.#log.debug({ from: previous.kind, to: state.kind, event: event.kind }, 'sign-in');
    if (previous.kind === 'waiting-for-browser' && state.kind !== 'waiting-for-browser') {
      this.#wait.abort();
      this.#pendingStore.clear();
    }
    if (state.kind === 'waiting-for-browser' && previous.kind !== 'waiting-for-browser')
      this.#limitWait(state.pending.endsAt);
    if (state.kind !== 'starting' && state.kind !== 'waiting-for-browser')
      this.#browserReturn.closeReceiver();
    const isChosen = event.kind === 'chosen' || event.kind === 'exchanged';
    if (
      state.kind === 'signed-in' &&
      (isChosen || !this.#usableAccounts.isAwaited(this.#settings.get().currentAccount))
    )
      this.#settings.update({
        currentAccount: state.account.id,
        currentService: state.account.address.baseUrl,
      });
    this.#notify();
  }

  #notify(): void {
    this.#listeners.emit(publicState(this.#state));
  }

  /** Call it after removing the account's tokens. */
  #endAccount(accountId: string, error: ErrorRecord | null): void {
    const previous = this.#state;
    this.#apply({ kind: 'account-ended', accountId, error, successor: this.#usableAccounts.successor() });
    if (this.#state === previous) this.#notify();
  }

  #limitWait(endsAt: number): void {
    this.#wait = new AbortController();
    this.#waitBegan = { nowMs: this.#clock.now(), elapsed: this.#clock.elapsed() };
    this.#clock.sleep(Math.max(0, endsAt - this.#clock.now()), this.#wait.signal).then(
      () => this.#apply({ kind: 'time', nowMs: endsAt }),
      () => {},
    );
  }

  /** Elapsed time: setting the clock can't end a sign-in. */
  #waitNow(): number {
    return this.#waitBegan.nowMs + this.#clock.elapsed() - this.#waitBegan.elapsed;
  }

  /** Returns false for a callback of another sign-in. */
  #receive(callback: string): boolean {
    const pendingSignIn = this.#state.kind === 'waiting-for-browser' ? this.#state.pending : null;
    const isOurs =
      pendingSignIn && parseCallback(callback, pendingSignIn.redirectUri)?.state === pendingSignIn.state;
    if (isOurs) void this.handleCallback(callback);
    return isOurs ?? false;
  }

  #newAttempt(): { attempt: number; signal: AbortSignal } {
    this.#work.abort();
    this.#work = new AbortController();
    this.#attempts += 1;
    return { attempt: this.#attempts, signal: this.#work.signal };
  }

  /** A code is tried once: the request has already left the vault. */
  async #exchange(
    { attempt, pending: pendingSignIn, code }: SignIn & { kind: 'exchanging' },
    iss: string | null,
  ): Promise<void> {
    const { address, clientId, redirectUri, verifier, state: expectedState } = pendingSignIn;
    const { signal } = this.#work;
    try {
      const endpoints = createOAuthEndpoints(address.baseUrl, this.#network, this.#bodies);
      const grant = { clientId, redirectUri, code, verifier, expectedState, returnedState: expectedState };
      const answer = await endpoints.exchangeCode(grant, signal);
      if (signal.aborted) return;
      const account: Account = { id: pendingSignIn.accountId, address };
      this.#usableAccounts.store(account, tokenSetFrom(answer, pendingSignIn, this.#clock.now()));
      this.#issuers.record(address, iss);
      this.#apply({ kind: 'exchanged', attempt, account });
      this.#log.info({ baseUrl: address.baseUrl }, 'signed in');
    } catch (error) {
      if (!signal.aborted) this.#log.warn({ error }, 'The sign-in failed.');
      this.#apply({ kind: 'failed', attempt, error: toErrorRecord(error) });
    }
  }
}

function withoutFacts({ id, address }: Account): Account {
  return { id, address };
}
