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
    return this.#usable().map((account) => {
      const { name = null, number = 1 } =
        this.#knownAccounts.list().find(({ id }) => id === account.id) ?? {};
      return { ...account, name, number };
    });
  }

  successor(): Account | null {
    const [account] = this.#usable();
    return account ? { id: account.id, address: account.address } : null;
  }

  signedOut(): ReturnType<AccountService['signedOut']> {
    return this.#knownAccounts
      .list()
      .filter(({ id }) => !this.#isSignedIn(id))
      .map(({ signedOut, ...account }) => ({ ...account, isLost: !signedOut }));
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
      this.#knownAccounts.list().some(({ id, signedOut }) => id === accountId && !signedOut) &&
      !this.#usable().some(({ id }) => id === accountId)
    );
  }

  /** Store the account before its tokens. */
  keep({ id, address }: Account, tokens: TokenSet): void {
    this.#knownAccounts.signedIn(id, address.baseUrl);
    this.#tokens.keep(id, { address, tokens });
  }

  /**
   * @throws TileliftError `service-address-invalid`, the refusal of the service, or of `KnownAccounts.idFor`
   */
  accountFor(typed: ServiceAddress, accountId: string | undefined): Account {
    const address = parseServiceAddress(typed);
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

  #usable(): ReturnType<AccountTokens['accounts']> {
    return this.#tokens.accounts().filter(({ address }) => !this.#refuse(address));
  }

  #isSignedIn(accountId: string): boolean {
    return this.#tokens.accounts().some(({ id }) => id === accountId);
  }
}
