import type { TileliftError } from '../errors.ts';
import type { ServiceAddress } from '../service/model.ts';
import { parseServiceAddress } from '../service/service-address.ts';
import type { KnownAccounts } from './known-accounts.ts';
import { type Account, type AccountService, accountIdOf, type SignedInAccount } from './model.ts';
import type { AccountTokens } from './tokens/account-tokens.ts';
import type { TokenSet } from './tokens/tokens.ts';

interface Parts {
  readonly known: KnownAccounts;
  readonly tokens: AccountTokens;
  /** Why a service may not be used; null where it may. */
  readonly refuse: (address: ServiceAddress) => TileliftError | null;
}

/** Accounts with tokens, and which of them may be used. */
export class UsableAccounts {
  readonly #known: KnownAccounts;
  readonly #tokens: AccountTokens;
  readonly #refuse: Parts['refuse'];

  constructor({ known, tokens, refuse }: Parts) {
    this.#known = known;
    this.#tokens = tokens;
    this.#refuse = refuse;
  }

  list(): readonly SignedInAccount[] {
    return this.#usable().map((account) => {
      const { name = null, number = 1 } = this.#known.list().find(({ id }) => id === account.id) ?? {};
      return { ...account, name, number };
    });
  }

  /** The first one that can stand in for an account that ended. */
  first(): Account | null {
    const [account] = this.#usable();
    return account ? { id: account.id, address: account.address } : null;
  }

  signedOut(): ReturnType<AccountService['signedOut']> {
    return (
      this.#known
        .list()
        // One that is kept and refused here is not lost.
        .filter(({ id }) => !this.#isSignedIn(id))
        .map(({ signedOut, ...account }) => ({ ...account, isLost: !signedOut }))
    );
  }

  /** As `AccountService.firstAt`. */
  firstAt(baseUrl: string, previous?: string): string {
    const here = this.#known.list().filter((account) => account.baseUrl === baseUrl);
    const first = accountIdOf(baseUrl);
    const account = here.find(({ id }) => id === previous) ?? here.find(({ id }) => id === first);
    return (account ?? here[0])?.id ?? first;
  }

  /** Its sign-in was lost: no other account takes the place that a person gave to this one. */
  isAwaited(accountId: string | null): boolean {
    return (
      this.#known.list().some(({ id, signedOut }) => id === accountId && !signedOut) &&
      !this.#usable().some(({ id }) => id === accountId)
    );
  }

  /** Someone has signed in. Remembered first: tokens that nobody knows of would be lost. */
  keep({ id, address }: Account, tokens: TokenSet): void {
    this.#known.signedIn(id, address.baseUrl);
    this.#tokens.keep(id, { address, tokens });
  }

  /**
   * The account that a sign-in is for, with its address as accounts know it.
   * @throws TileliftError `service-address-invalid`, the reason against the service, or as
   *   `KnownAccounts.idFor`
   */
  accountFor(typed: ServiceAddress, accountId: string | undefined): Account {
    const address = parseServiceAddress(typed);
    const refusal = this.#refuse(address);
    if (refusal) throw refusal;
    const id = this.#known.idFor(address.baseUrl, accountId, (known) => this.#isSignedIn(known));
    return { id, address };
  }

  /** Why an account that is kept can't be the one of this start. */
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
