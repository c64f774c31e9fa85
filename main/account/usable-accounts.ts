import type { TileliftError } from '../errors.ts';
import type { ServiceAddress } from '../service/model.ts';
import { parseServiceAddress } from '../service/service-address.ts';
import type { KnownAccounts } from './known-accounts.ts';
import { type Account, type AccountService, accountIdOf, type SignedInAccount } from './model/model.ts';
import type { AccountTokens } from './tokens/account-tokens.ts';
import type { TokenSet } from './tokens/tokens.ts';

interface Parts {
  readonly knownAccounts: KnownAccounts;
  readonly tokens: AccountTokens;
  /** Null if the service may be used. */
  readonly refuse: (address: ServiceAddress) => TileliftError | null;
}

/** Accounts with tokens whose service may be used. */
export class UsableAccounts {
  readonly #knownAccounts: KnownAccounts;
  readonly #tokens: AccountTokens;
  readonly #refuse: Parts['refuse'];

  constructor({ knownAccounts, tokens, refuse }: Parts) {
    this.#knownAccounts = knownAccounts;
    this.#tokens = tokens;
    this.#refuse = refuse;
  }

  list(): readonly SignedInAccount[] {
    return this.#usableAccounts().map((account) => {
      const { name = null, number = 1 } =
        this.#knownAccounts.list().find(({ id }) => id === account.id) ?? {};
      return { ...account, name, number };
    });
  }

  successor(): Account | null {
    const [account] = this.#usableAccounts();
    return account ? { id: account.id, address: account.address } : null;
  }

  signedOutAccounts(): ReturnType<AccountService['signedOutAccounts']> {
    return this.#knownAccounts
      .list()
      .filter(({ id }) => !this.#isSignedIn(id))
      .map(({ signedOut: isSignedOut, ...account }) => ({ ...account, isLost: !isSignedOut }));
  }

  /** See `AccountService.firstAt`. */
  firstAt(baseUrl: string, previous?: string): string {
    const serviceAccounts = this.#knownAccounts.list().filter((account) => account.baseUrl === baseUrl);
    const firstId = accountIdOf(baseUrl);
    const account =
      serviceAccounts.find(({ id }) => id === previous) ?? serviceAccounts.find(({ id }) => id === firstId);
    return (account ?? serviceAccounts[0])?.id ?? firstId;
  }

  /** No other account may replace the user's chosen one. */
  isAwaited(accountId: string | null): boolean {
    return (
      this.#knownAccounts.list().some(({ id, signedOut: isSignedOut }) => id === accountId && !isSignedOut) &&
      !this.#usableAccounts().some(({ id }) => id === accountId)
    );
  }

  /** Store the account before its tokens. */
  store({ id, address }: Account, tokens: TokenSet): void {
    this.#knownAccounts.recordSignIn(id, address.baseUrl);
    this.#tokens.keep(id, { address, tokens });
  }

  /**
   * @throws TileliftError `service-address-invalid`, the refusal of the service, or of `KnownAccounts.idFor`
   */
  accountFor(enteredAddress: ServiceAddress, accountId: string | undefined): Account {
    const address = parseServiceAddress(enteredAddress);
    const refusal = this.#refuse(address);
    if (refusal) throw refusal;
    const id = this.#knownAccounts.idFor(address.baseUrl, accountId, (candidateId) =>
      this.#isSignedIn(candidateId),
    );
    return { id, address };
  }

  refusal(): TileliftError | null {
    for (const { address } of this.#tokens.accounts()) {
      const refusal = this.#refuse(address);
      if (refusal) return refusal;
    }
    return null;
  }

  /** Base URLs. Access tokens need no client, and a refused service registers only at the next sign-in. */
  servicesThatNeedClients(currentService: string | null): Set<string> {
    const baseUrlsOf = (signedInBy: SignedInAccount['signedInBy']) =>
      this.#usableAccounts()
        .filter((account) => account.signedInBy === signedInBy)
        .map(({ address }) => address.baseUrl);
    const services = new Set(baseUrlsOf('browser'));
    const isRefused = currentService && this.#refuse({ baseUrl: currentService, authUrl: currentService });
    if (currentService && !isRefused && !baseUrlsOf('access-token').includes(currentService))
      services.add(currentService);
    return services;
  }

  #usableAccounts(): ReturnType<AccountTokens['accounts']> {
    return this.#tokens.accounts().filter(({ address }) => !this.#refuse(address));
  }

  #isSignedIn(accountId: string): boolean {
    return this.#tokens.accounts().some(({ id }) => id === accountId);
  }
}
