import { accountName } from '../../shared/schemas/accounts.ts';
import type { ServiceAddress } from '../../shared/services.ts';
import type { Cli } from './cli.ts';
import type { OpenedTilelift } from './compose.ts';
import { UsageError } from './usage-error.ts';

/** The service doesn't identify users. */
interface AccountToSignIn {
  /** Absent for an additional account. */
  readonly id?: string;
  readonly isFurther: boolean;
  /** Null keeps the current one. */
  readonly name: string | null;
}

/**
 * Matches the ID, name or service URL of `--account`; an unknown name creates one.
 * @throws UsageError for an invalid name, or several accounts without a name
 */
export function accountToSignIn(
  cli: Cli,
  { tilelift: { accounts }, settings }: OpenedTilelift,
  { baseUrl }: ServiceAddress,
): AccountToSignIn {
  const requested = cli.common().account;
  const firstAccount = { id: accounts.firstAt(baseUrl), isFurther: false, name: null };
  const serviceAccounts = settings.get().accounts.filter((account) => account.baseUrl === baseUrl);
  if (requested === undefined || requested.replace(/\/$/, '') === baseUrl) {
    // Rules and jobs of one account must not continue with another.
    if (serviceAccounts.length > 1)
      throw new UsageError({ key: 'cli.account.several', values: { account: baseUrl } });
    return firstAccount;
  }
  const match = serviceAccounts.find(({ id, name }) => id === requested || name === requested);
  if (match) return { id: match.id, isFurther: false, name: null };
  const { data: name } = accountName.safeParse(requested);
  if (name === undefined) throw new UsageError({ key: 'cli.account.name' });
  return serviceAccounts.length === 0 ? { ...firstAccount, name } : { isFurther: true, name };
}

/**
 * Another token couldn't decrypt the home folder.
 * @throws UsageError if another account is signed in
 */
export function refuseSecondToken({ settings }: OpenedTilelift): void {
  if (settings.get().accounts.some(({ signedOut: isSignedOut }) => !isSignedOut))
    throw new UsageError({ key: 'cli.signIn.needsKey' });
}

/** Null keeps the name. */
export function nameAccount({ tilelift: { accounts } }: OpenedTilelift, name: string | null): void {
  const state = accounts.state();
  if (state.kind === 'signed-in' && name !== null) accounts.rename(state.account.id, name);
}
