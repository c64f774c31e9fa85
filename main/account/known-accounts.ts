import { randomBytes } from 'node:crypto';
import type { KnownAccount } from '../../shared/schemas/accounts.ts';
import { TileliftError } from '../errors.ts';
import type { SettingsPort } from '../settings-port.ts';
import { accountIdOf } from './model/model.ts';

export interface AccountSettings {
  readonly accounts: readonly KnownAccount[];
  readonly currentAccount: string | null;
  /** `baseUrl`. */
  readonly currentService: string | null;
}

/** Jobs and rules refer to these accounts, signed in or not. */
export interface KnownAccounts {
  list(): readonly KnownAccount[];
  /** Adds accounts with tokens that the settings lack. */
  adopt(withTokens: readonly { readonly id: string; readonly baseUrl: string }[]): void;
  /**
   * The requested account, else the service's only one if signed out, else a new one.
   * @throws TileliftError `not-signed-in` if `requested` is unknown
   */
  idFor(baseUrl: string, requested: string | undefined, isSignedIn: (id: string) => boolean): string;
  recordSignIn(id: string, baseUrl: string): void;
  recordSignOut(id: string): void;
  /** Null removes the name. */
  rename(id: string, name: string | null): void;
  forget(id: string): void;
}

export function createKnownAccounts(settings: SettingsPort<AccountSettings>): KnownAccounts {
  const list = () => settings.get().accounts;

  function change(id: string, part: Partial<KnownAccount>): void {
    if (!list().some((account) => account.id === id)) return;
    settings.update({
      accounts: list().map((account) => (account.id === id ? { ...account, ...part } : account)),
    });
  }

  function add(id: string, baseUrl: string): void {
    const serviceAccounts = list().filter((account) => account.baseUrl === baseUrl);
    const number = Math.max(0, ...serviceAccounts.map((account) => account.number)) + 1;
    settings.update({ accounts: [...list(), { id, baseUrl, name: null, number, signedOut: false }] });
  }

  const isKnown = (id: string) => list().some((account) => account.id === id);

  return {
    list,
    adopt: (withTokens) => {
      for (const { id, baseUrl } of withTokens) if (!isKnown(id)) add(id, baseUrl);
    },
    idFor: (baseUrl, requested, isSignedIn) => {
      const serviceAccounts = list().filter((account) => account.baseUrl === baseUrl);
      if (requested !== undefined) {
        if (requested === accountIdOf(baseUrl) || serviceAccounts.some(({ id }) => id === requested))
          return requested;
        throw new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });
      }
      const [firstAccount, ...furtherAccounts] = serviceAccounts;
      if (!firstAccount) return accountIdOf(baseUrl);
      // Jobs and rules of another user may refer to an old ID.
      return furtherAccounts.length === 0 && !isSignedIn(firstAccount.id)
        ? firstAccount.id
        : randomBytes(8).toString('hex');
    },
    recordSignIn: (id, baseUrl) => {
      if (isKnown(id)) change(id, { signedOut: false });
      else add(id, baseUrl);
    },
    recordSignOut: (id) => change(id, { signedOut: true }),
    rename: (id, name) => change(id, { name }),
    forget: (id) => settings.update({ accounts: list().filter((account) => account.id !== id) }),
  };
}
