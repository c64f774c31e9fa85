import { accountName } from '../../../shared/schemas/accounts.ts';
import type { ServiceAddress } from '../../../shared/services.ts';
import type { Cli } from '../cli.ts';
import type { OpenedTilelift } from '../compose.ts';
import { UsageError } from '../usage-error.ts';

/** Which account of a service a sign-in is for: the service itself does not say who signs in. */
interface AccountToSignIn {
  /** Absent for a further one. */
  readonly id?: string;
  readonly isFurther: boolean;
  /** What a person calls it from now on; null: as it is called. */
  readonly name: string | null;
}

/**
 * The account that `--account` names by id, name or its service's URL; a name that none has is a further
 * account's. Without it the service's only one.
 * @throws UsageError where the name can't be one, and where the service has several accounts and none is
 *   named
 */
export function accountToSignIn(
  cli: Cli,
  { tilelift: { accounts }, settings }: OpenedTilelift,
  { baseUrl }: ServiceAddress,
): AccountToSignIn {
  const wanted = cli.common().account;
  const first = { id: accounts.firstAt(baseUrl), isFurther: false, name: null };
  const here = settings.get().accounts.filter((known) => known.baseUrl === baseUrl);
  if (wanted === undefined || wanted.replace(/\/$/, '') === baseUrl) {
    // The rules and jobs of one would go on with the sign-in of another.
    if (here.length > 1) throw new UsageError({ key: 'cli.account.several', values: { account: baseUrl } });
    return first;
  }
  const found = here.find(({ id, name }) => id === wanted || name === wanted);
  if (found) return { id: found.id, isFurther: false, name: null };
  const { data: name } = accountName.safeParse(wanted);
  if (name === undefined) throw new UsageError({ key: 'cli.account.name' });
  return here.length === 0 ? { ...first, name } : { isFurther: true, name };
}

/**
 * What a token opens no other token opens: a home folder that is opened by one has room for its account
 * alone.
 * @throws UsageError where another account is signed in there
 */
export function refuseSecondToken({ settings }: OpenedTilelift): void {
  if (settings.get().accounts.some(({ signedOut }) => !signedOut))
    throw new UsageError({ key: 'cli.signIn.needsKey' });
}

/** The account that has just been signed in to. Null leaves its name. */
export function nameAccount({ tilelift: { accounts } }: OpenedTilelift, name: string | null): void {
  const state = accounts.state();
  if (state.kind === 'signed-in' && name !== null) accounts.rename(state.account.id, name);
}
