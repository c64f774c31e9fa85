import type { AccountService, SignedInAccount } from '../account/model/model.ts';
import { TileliftError } from '../errors.ts';
import type { RunningTilelift } from '../socket/client.ts';
import type { Cli } from './cli.ts';
import type { OpenedTilelift } from './compose.ts';
import { untilStopped } from './running.ts';
import { chooseService } from './services.ts';
import { UsageError } from './usage-error.ts';

/**
 * Signs in once with an access token; requires a started `tilelift`.
 * @throws UsageError if `--account` isn't signed in; TileliftError `not-signed-in`, `access-token-refused`,
 *   or of a failed request
 */
export async function signedInAccount(cli: Cli, openedTilelift: OpenedTilelift): Promise<SignedInAccount> {
  const { tilelift, settings, policy, access } = openedTilelift;
  const { accounts } = tilelift;
  if (access.kind === 'token' && accounts.accounts().length === 0) {
    const { service } = cli.common();
    const address = chooseService(
      service === undefined ? [] : [service],
      { settings, policy, env: cli.env },
      false,
    );
    await accounts.useAccessToken(address, access.secret, accounts.firstAt(address.baseUrl));
  }
  return knownAccount(cli, openedTilelift);
}

/**
 * That of `--account`, else the current one.
 * @throws UsageError if it isn't signed in; TileliftError `not-signed-in`
 */
export function knownAccount(cli: Cli, { tilelift: { accounts } }: OpenedTilelift): SignedInAccount {
  return accountCalled(cli, accounts.accounts(), accounts.current());
}

/** By ID, name or service URL. Returns an unknown or ambiguous name: rules wait for it. */
export function idOfNamed(name: string, accounts: AccountService): string {
  const [account, ...otherMatches] = accountsNamed(name, accounts.accounts());
  return account && otherMatches.length === 0 ? account.id : name.slice(0, maxAccountId);
}

/** Like `knownAccount`, for the running Tilelift. */
export async function accountOfRunning(cli: Cli, { ask }: RunningTilelift): Promise<SignedInAccount> {
  const { accounts, current } = await untilStopped(ask('accounts', {}), cli.stop);
  return accountCalled(cli, accounts, current);
}

function accountCalled(cli: Cli, accounts: readonly SignedInAccount[], currentId: string | null) {
  const { account, service } = cli.common();
  const requested = account ?? service;
  if (requested !== undefined) {
    const matches = accountsNamed(requested, accounts);
    if (matches.length > 1)
      throw new UsageError({ key: 'cli.account.several', values: { account: requested } });
    if (!matches[0]) throw new UsageError({ key: 'cli.account.unknown', values: { account: requested } });
    return matches[0];
  }
  const current = accounts.find(({ id }) => id === currentId);
  if (!current) throw new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });
  return current;
}

function accountsNamed(
  accountText: string,
  accounts: readonly SignedInAccount[],
): readonly SignedInAccount[] {
  return accounts.filter(({ id, name, address }) =>
    [id, name, address.baseUrl].includes(withoutTrailingSlash(accountText)),
  );
}

/** The limit in rules. */
const maxAccountId = 100;

const withoutTrailingSlash = (address: string) => address.replace(/(?<!\/)\/+$/, '');
