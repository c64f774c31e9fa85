import type { AccountService, SignedInAccount } from '../account/model.ts';
import { TileliftError } from '../errors.ts';
import type { RunningTilelift } from '../socket/client.ts';
import type { Cli } from './cli.ts';
import type { OpenedTilelift } from './compose.ts';
import { untilStopped } from './running.ts';
import { chooseService } from './services.ts';
import { UsageError } from './usage-error.ts';

/**
 * The account to work with: the one that `--account` names, else the current one. With an access token the
 * command signs in by itself, once for each token; what is kept of it opens with the same token only.
 * `tilelift` has been started.
 * @throws UsageError where no such account is signed in; TileliftError `not-signed-in`,
 *   `access-token-refused` or what a failed request throws
 */
export async function signedInAccount(cli: Cli, opened: OpenedTilelift): Promise<SignedInAccount> {
  const { tilelift, settings, policy, access } = opened;
  const { accounts } = tilelift;
  if (access.kind === 'token' && accounts.accounts().length === 0) {
    const address = chooseService([], { settings, policy, env: cli.env }, false);
    await accounts.useAccessToken(address, access.secret, accounts.firstAt(address.baseUrl));
  }
  return knownAccount(cli, opened);
}

/**
 * The account that `--account` names, else the current one, among those that are signed in.
 * @throws UsageError where no such account is signed in; TileliftError `not-signed-in`
 */
export function knownAccount(cli: Cli, { tilelift: { accounts } }: OpenedTilelift): SignedInAccount {
  return accountCalled(cli, accounts.accounts(), accounts.current());
}

/**
 * Returns the ID of the account with this ID, name or service URL. A name that fits no signed-in account, or
 * several, is returned as it is: rules wait for it.
 */
export function idOfNamed(name: string, accounts: AccountService): string {
  const [account, ...others] = accountsNamed(name, accounts.accounts());
  return account && others.length === 0 ? account.id : name.slice(0, maxAccountId);
}

/** Likewise among those of the Tilelift that runs. */
export async function accountOfRunning(cli: Cli, { ask }: RunningTilelift): Promise<SignedInAccount> {
  const { accounts, current } = await untilStopped(ask('accounts', {}), cli.stop);
  return accountCalled(cli, accounts, current);
}

function accountCalled(cli: Cli, known: readonly SignedInAccount[], currentId: string | null) {
  const wanted = cli.common().account;
  if (wanted !== undefined) {
    const found = accountsNamed(wanted, known);
    if (found.length > 1) throw new UsageError({ key: 'cli.account.several', values: { account: wanted } });
    if (!found[0]) throw new UsageError({ key: 'cli.account.unknown', values: { account: wanted } });
    return found[0];
  }
  const current = known.find(({ id }) => id === currentId);
  if (!current) throw new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });
  return current;
}

function accountsNamed(wanted: string, accounts: readonly SignedInAccount[]): readonly SignedInAccount[] {
  return accounts.filter(({ id, name, address }) => [id, name, address.baseUrl].includes(trimmed(wanted)));
}

/** As rules have it. */
const maxAccountId = 100;

const trimmed = (address: string) => address.replace(/(?<!\/)\/+$/, '');
