import { type ErrorRecord, TileliftError, toErrorRecord } from '../errors.ts';
import { createListeners } from '../listeners.ts';
import { type Log, silentLog } from '../log.ts';
import type { OpenBrowser } from '../outside.ts';
import type { Network } from '../service/http-request.ts';
import type { ServiceAddress } from '../service/model.ts';
import { parseServiceAddress } from '../service/service-address.ts';
import type { SettingsPort } from '../settings-port.ts';
import { createPendingSignIn } from './authorization-request.ts';
import { createBrowserReturn } from './browser-return.ts';
import { parseCallback } from './callback.ts';
import { type ClientIds, createClientRegistration } from './client-registration.ts';
import { createIssuers } from './issuers.ts';
import { type AccountSettings, createKnownAccounts } from './known-accounts.ts';
import type { OpenCallbackReceiver } from './loopback-receiver.ts';
import type { Account, AccountService, SignedInAccount, SignInState } from './model.ts';
import { accountIdOf } from './model.ts';
import { createOAuthEndpoints } from './oauth-endpoints.ts';
import {
  accountBehind,
  accountOf,
  initialSignIn,
  next,
  publicState,
  type SignIn,
  type SignInEvent,
} from './sign-in-state.ts';
import { checkAccessToken } from './tokens/access-token.ts';
import { createAccountTokens } from './tokens/account-tokens.ts';
import { createFreshness } from './tokens/freshness.ts';
import { createTokenBodies } from './tokens/token-answer.ts';
import { type TokenSet, tokenSetFrom, tokenSetOf } from './tokens/tokens.ts';
import { createPendingStore } from './vault/pending-store.ts';
import type { Vault } from './vault/vault.ts';

export interface AccountServiceOptions extends Network {
  readonly openBrowser: OpenBrowser;
  readonly vault: Vault;
  readonly settings: SettingsPort<AccountSettings> & ClientIds;
  readonly log?: Log;
  /** Where the browser returns to while the system has no program for our scheme. Default: it always has. */
  readonly openReceiver?: OpenCallbackReceiver | undefined;
  /**
   * Why a service may not be used, neither for signing in nor with an account that is kept; null where it
   * may. Default: all may.
   */
  readonly refuseService?: ((address: ServiceAddress) => TileliftError | null) | undefined;
}

/** Carries out what `sign-in-state.ts` decides. */
export function createAccountService(options: AccountServiceOptions): AccountService {
  const { clock, openBrowser, vault, settings, log = silentLog } = options;
  const network: Network = { fetch: options.fetch, clock };
  const refuse = options.refuseService ?? (() => null);
  const registration = createClientRegistration({ vault, settings, network, log });
  const pendingStore = createPendingStore(vault, log);
  const issuers = createIssuers(vault);
  const known = createKnownAccounts(settings);
  const bodies = createTokenBodies(vault, log);
  const tokens = createAccountTokens({
    ...network,
    vault,
    log,
    bodies,
    refuseService: refuse,
    onEnded: (accountId, error) => accountEnded(accountId, toErrorRecord(error)),
  });
  const browserReturn = createBrowserReturn(
    options.openReceiver ?? (async () => null),
    (callback) => {
      const waiting = state.kind === 'waiting-for-browser' ? state.pending : null;
      const isOurs = waiting && parseCallback(callback, waiting.redirectUri)?.state === waiting.state;
      if (isOurs) void handleCallback(callback);
      return isOurs ?? false;
    },
    log,
  );
  const listeners = createListeners<[state: SignInState]>();
  let state: SignIn = initialSignIn;
  let attempts = 0;
  /** Ends with the attempt it belongs to. */
  let work = new AbortController();
  /** Ends with the wait for the browser. */
  let wait = new AbortController();
  let waitBegan = { now: clock.now(), elapsed: clock.elapsed() };
  const life = new AbortController();
  const freshness = createFreshness({ tokens, clock, signal: life.signal, onChange: tell });

  function apply(event: SignInEvent): void {
    const before = state;
    state = next(before, event);
    if (state === before) return;
    log.debug({ from: before.kind, to: state.kind, event: event.kind }, 'sign-in');
    if (before.kind === 'waiting-for-browser' && state.kind !== 'waiting-for-browser') {
      wait.abort();
      pendingStore.clear();
    }
    if (state.kind === 'waiting-for-browser' && before.kind !== 'waiting-for-browser')
      limitWait(state.pending.endsAt);
    if (state.kind !== 'starting' && state.kind !== 'waiting-for-browser') browserReturn.close();
    const isChosen = event.kind === 'chosen' || event.kind === 'exchanged';
    if (state.kind === 'signed-in' && (isChosen || !isAwaited(settings.get().currentAccount)))
      settings.update({
        currentAccount: state.account.id,
        currentService: state.account.address.baseUrl,
        signedOut: false,
      });
    tell();
  }

  function tell(): void {
    const shown = publicState(state);
    listeners.tell(shown);
  }

  /** The account's tokens are gone by now; the first of those that stay takes its place. */
  function accountEnded(accountId: string, error: ErrorRecord | null): void {
    const before = state;
    apply({
      kind: 'account-ended',
      accountId,
      error,
      successor: usable().map(withoutFacts)[0] ?? null,
    });
    if (state === before) tell();
  }

  function limitWait(endsAt: number): void {
    wait = new AbortController();
    waitBegan = { now: clock.now(), elapsed: clock.elapsed() };
    clock.sleep(Math.max(0, endsAt - clock.now()), wait.signal).then(
      () => apply({ kind: 'time', now: endsAt }),
      () => {}, // The wait ended first.
    );
  }

  /** The time by the clock as it went when the wait began: setting the clock ends no sign-in. */
  const waitNow = () => waitBegan.now + clock.elapsed() - waitBegan.elapsed;

  /** The address as accounts know it. Throws `service-address-invalid` or the reason against the service. */
  function allowed(typed: ServiceAddress): ServiceAddress {
    const address = parseServiceAddress(typed);
    const refusal = refuse(address);
    if (refusal) throw refusal;
    return address;
  }

  const usable = () => tokens.accounts().filter(({ address }) => !refuse(address));

  const withName = (one: Omit<SignedInAccount, 'name' | 'number'>): SignedInAccount => {
    const { name = null, number = 1 } = known.list().find(({ id }) => id === one.id) ?? {};
    return { ...one, name, number };
  };

  /** Its sign-in was lost: no other account takes the place that a person gave to this one. */
  const isAwaited = (accountId: string | null) =>
    known.list().some(({ id, signedOut }) => id === accountId && !signedOut) &&
    !usable().some(({ id }) => id === accountId);

  const isSignedIn = (accountId: string) => tokens.accounts().some(({ id }) => id === accountId);

  /** Someone has signed in. Remembered first: tokens that nobody knows of would be lost. */
  function keep({ id, address }: Account, set: TokenSet): void {
    known.signedIn(id, address.baseUrl);
    tokens.keep(id, { address, tokens: set });
  }

  /** Why an account that is kept can't be the one of this start. */
  function refusalAmong(kept: readonly Account[]): TileliftError | null {
    for (const { address } of kept) {
      const refusal = refuse(address);
      if (refusal) return refusal;
    }
    return null;
  }

  /** Replaces whatever attempt is under way. */
  function newAttempt(): { attempt: number; signal: AbortSignal } {
    work.abort();
    work = new AbortController();
    attempts += 1;
    return { attempt: attempts, signal: work.signal };
  }

  async function openPage(): Promise<void> {
    if (state.kind !== 'waiting-for-browser') return;
    const { attempt, pending } = state;
    try {
      await openBrowser(pending.link);
      apply({ kind: 'browser', attempt, error: null });
    } catch (cause) {
      log.warn({ cause }, 'The browser could not be opened.');
      apply({
        kind: 'browser',
        attempt,
        error: toErrorRecord(new TileliftError('browser-not-opened', { cause })),
      });
    }
  }

  /** Signs in with the code. The pending request has left the vault by now: a code is tried once. */
  async function exchange(
    { attempt, pending, code }: SignIn & { kind: 'exchanging' },
    iss: string | null,
  ): Promise<void> {
    const { address, clientId, redirectUri, verifier, state: expectedState } = pending;
    const { signal } = work;
    try {
      const endpoints = createOAuthEndpoints(address.baseUrl, network, bodies);
      const grant = { clientId, redirectUri, code, verifier, expectedState, returnedState: expectedState };
      const answer = await endpoints.exchangeCode(grant, signal);
      if (signal.aborted) return;
      const account: Account = { id: accountOf(pending), address };
      keep(account, tokenSetFrom(answer, pending, clock.now()));
      issuers.keep(address, iss);
      apply({ kind: 'exchanged', attempt, account });
      log.info({ baseUrl: address.baseUrl }, 'signed in');
    } catch (error) {
      if (!signal.aborted) log.warn({ error }, 'The sign-in failed.');
      apply({ kind: 'failed', attempt, error: toErrorRecord(error) });
    }
  }

  async function handleCallback(callbackAddress: string): Promise<void> {
    const waiting = state.kind === 'waiting-for-browser' ? state.pending : null;
    const callback = parseCallback(callbackAddress, waiting?.redirectUri);
    const iss = callback?.iss ?? null;
    const isForeign = iss !== null && waiting !== null && !(await issuers.isOf(waiting.address, iss));
    const before = state;
    apply({ kind: 'callback', callback, isForeign, now: waitNow() });
    if (state === before) log.info({ state: state.kind }, 'A callback came that nothing waits for.');
    else if (state.kind === 'exchanging') await exchange(state, iss);
  }

  function cancelSignIn(): void {
    work.abort();
    apply({ kind: 'cancelled' });
  }

  return {
    start: async () => {
      const { currentAccount, currentService } = settings.get();
      const lost = tokens.dropUnreadable();
      known.adopt(tokens.accounts().map(({ id, address }) => ({ id, baseUrl: address.baseUrl })));
      const refusal = refusalAmong(tokens.accounts());
      const usableNow = usable().map(withoutFacts);
      const account =
        usableNow.find(({ id }) => id === currentAccount) ??
        usableNow.find(({ address }) => address.baseUrl === currentService) ??
        usableNow[0] ??
        null;
      const begun = pendingStore.read(clock.now());
      const pending = begun && !refuse(begun.address) ? begun : null;
      const trouble = refusal ?? (lost.length > 0 ? new TileliftError('sign-in-unreadable') : null);
      const error = trouble && toErrorRecord(trouble);
      apply({ kind: 'restored', attempt: newAttempt().attempt, account, pending, error });
      if (pending) await browserReturn.openAgain(pending.redirectUri);
      freshness.start();
      const services = new Set(usableNow.map(({ address }) => address.baseUrl));
      if (pending) services.add(pending.address.baseUrl);
      // Of one that nobody is signed in to no more is known: where some services are refused, it registers
      // when someone signs in.
      if (currentService && !refuse({ baseUrl: currentService, authUrl: currentService }))
        services.add(currentService);
      for (const baseUrl of services) {
        registration.clientIdAt(baseUrl, life.signal).catch((cause: unknown) => {
          if (!life.signal.aborted) log.warn({ baseUrl, cause }, 'Registration at start failed.');
        });
      }
    },

    stop: () => {
      life.abort();
      work.abort();
      wait.abort();
      browserReturn.close();
      listeners.clear();
    },

    state: () => publicState(state),

    accounts: () => usable().map(withName),

    current: () => {
      const id = state.kind === 'signed-in' ? state.account.id : null;
      return id === settings.get().currentAccount ? id : null;
    },

    signedOut: () =>
      known
        .list()
        // One that is kept and refused here is not lost.
        .filter(({ id }) => !isSignedIn(id))
        .map(({ signedOut, ...account }) => ({ ...account, isLost: !signedOut })),

    firstAt: (baseUrl, previous) => {
      const here = known.list().filter((one) => one.baseUrl === baseUrl);
      const first = accountIdOf(baseUrl);
      const account = here.find(({ id }) => id === previous) ?? here.find(({ id }) => id === first);
      return (account ?? here[0])?.id ?? first;
    },

    signIn: async (typed, wanted) => {
      const address = allowed(typed);
      const accountId = known.idFor(address.baseUrl, wanted, isSignedIn);
      const { attempt, signal } = newAttempt();
      apply({ kind: 'begun', attempt, address, accountId });
      try {
        // A client of the person's own returns where it was registered to return.
        const loopbackUri = registration.hasOwn(address.baseUrl) ? undefined : await browserReturn.open();
        const clientId = await registration.clientIdAt(address.baseUrl, signal, loopbackUri);
        const pending = await createPendingSignIn(address, accountId, clientId, clock.now(), loopbackUri);
        if (signal.aborted) return;
        pendingStore.write(pending);
        apply({ kind: 'prepared', attempt, pending });
      } catch (error) {
        if (signal.aborted) return;
        browserReturn.close();
        log.warn({ error }, 'The sign-in could not begin.');
        apply({ kind: 'failed', attempt, error: toErrorRecord(error) });
        return;
      }
      await openPage();
    },

    openAgain: openPage,

    cancelSignIn,

    useAccessToken: async (typed, typedToken, wanted) => {
      const address = allowed(typed);
      const account: Account = { id: known.idFor(address.baseUrl, wanted, isSignedIn), address };
      cancelSignIn();
      const { signal } = newAttempt();
      const token = await checkAccessToken(address, typedToken, network, log, signal);
      signal.throwIfAborted();
      keep(account, tokenSetOf(token, clock.now()));
      apply({ kind: 'chosen', account });
      log.info({ baseUrl: address.baseUrl }, 'signed in with an access token');
    },

    dismissError: () => apply({ kind: 'dismissed' }),

    switchTo: (accountId) => {
      const account = usable().find(({ id }) => id === accountId);
      if (!account) throw new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });
      work.abort();
      apply({ kind: 'chosen', account: withoutFacts(account) });
    },

    handleCallback,

    signOut: (accountId = accountBehind(state)?.id) => {
      cancelSignIn();
      if (accountId === undefined) return;
      known.signedOut(accountId);
      tokens.keep(accountId, null);
      if (tokens.accounts().length === 0) settings.update({ signedOut: true });
      accountEnded(accountId, null);
    },

    rename: (accountId, name) => {
      known.rename(accountId, name);
      tell();
    },

    forget: (accountId) => {
      tokens.keep(accountId, null);
      known.forget(accountId);
      accountEnded(accountId, null);
    },

    keepFresh: freshness.look,

    serviceFor: tokens.serviceFor,
    whyUnready: tokens.whyUnready,

    onChange: listeners.add,
  };
}

function withoutFacts({ id, address }: Account): Account {
  return { id, address };
}
