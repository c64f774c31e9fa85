import { randomBytes } from 'node:crypto';
import type { KnownAccount } from '../../shared/schemas/accounts.ts';
import { TileliftError } from '../errors.ts';
import type { SettingsPort } from '../settings-port.ts';
import { accountIdOf } from './model.ts';

/** What the settings keep of accounts. */
export interface AccountSettings {
  readonly accounts: readonly KnownAccount[];
  /** Id of the one that is shown. */
  readonly currentAccount: string | null;
  /** `baseUrl` of the current account's service: all that earlier versions kept. */
  readonly currentService: string | null;
  /** The last sign-in was ended by the person; kept for earlier versions. */
  readonly signedOut: boolean;
}

/** The accounts that are remembered, whether someone is signed in or not: jobs and rules name them. */
export interface KnownAccounts {
  list(): readonly KnownAccount[];
  /** Takes over what earlier versions kept: one account for each service. `withTokens`: those signed in. */
  adopt(withTokens: readonly { readonly id: string; readonly baseUrl: string }[]): void;
  /**
   * The account that a sign-in at a service is for. `wanted`: its id, where the person said which; else it is
   * the service's only one while nobody is signed in to that, and a further one otherwise: the service does
   * not say who signs in.
   * @throws TileliftError `not-signed-in` where `wanted` is neither the service's first account nor a
   *   remembered one
   */
  idFor(baseUrl: string, wanted: string | undefined, isSignedIn: (id: string) => boolean): string;
  /** Someone signed in. */
  signedIn(id: string, baseUrl: string): void;
  /** The person signed out. */
  signedOut(id: string): void;
  /** Null takes the name away. */
  rename(id: string, name: string | null): void;
  forget(id: string): void;
}

export function createKnownAccounts(settings: SettingsPort<AccountSettings>): KnownAccounts {
  const list = () => settings.get().accounts;

  function change(id: string, part: Partial<KnownAccount>): void {
    if (!list().some((one) => one.id === id)) return;
    settings.update({ accounts: list().map((one) => (one.id === id ? { ...one, ...part } : one)) });
  }

  function add(id: string, baseUrl: string): void {
    const taken = list().filter((one) => one.baseUrl === baseUrl);
    const number = Math.max(0, ...taken.map((one) => one.number)) + 1;
    settings.update({ accounts: [...list(), { id, baseUrl, name: null, number, signedOut: false }] });
  }

  const isKnown = (id: string) => list().some((one) => one.id === id);

  return {
    list,
    adopt: (withTokens) => {
      for (const { id, baseUrl } of withTokens) if (!isKnown(id)) add(id, baseUrl);
      const { currentService, signedOut } = settings.get();
      if (currentService === null || signedOut || list().some((one) => one.baseUrl === currentService))
        return;
      add(accountIdOf(currentService), currentService);
    },
    idFor: (baseUrl, wanted, isSignedIn) => {
      const here = list().filter((one) => one.baseUrl === baseUrl);
      if (wanted !== undefined) {
        if (wanted === accountIdOf(baseUrl) || here.some(({ id }) => id === wanted)) return wanted;
        throw new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });
      }
      const [only, ...others] = here;
      if (!only) return accountIdOf(baseUrl);
      // Never one that was there before: jobs and rules of someone else may still name it.
      return others.length === 0 && !isSignedIn(only.id) ? only.id : randomBytes(8).toString('hex');
    },
    signedIn: (id, baseUrl) => {
      if (isKnown(id)) change(id, { signedOut: false });
      else add(id, baseUrl);
    },
    signedOut: (id) => change(id, { signedOut: true }),
    rename: (id, name) => change(id, { name }),
    forget: (id) => settings.update({ accounts: list().filter((one) => one.id !== id) }),
  };
}
