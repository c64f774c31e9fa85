import type { ServiceView } from '../../../preload/contract.ts';
import type { AccountService } from '../../account/model.ts';
import { TileliftError } from '../../errors.ts';
import type { ServiceAddress } from '../../service/model.ts';

/**
 * The service of an account, also of one that is not shown, or signed out. `id`: null for the one that is
 * shown.
 *
 * @param services all that are known, for the addresses of accounts that are signed out
 * @throws TileliftError `not-signed-in` for an account that is not remembered: its asset is on no known
 *   service
 */
export function addressOfAccount(
  accounts: Pick<AccountService, 'state' | 'accounts' | 'signedOut'>,
  services: () => readonly Pick<ServiceView, 'baseUrl' | 'authUrl'>[],
  id: string | null,
): ServiceAddress {
  const state = accounts.state();
  if (id === null && state.kind === 'signed-in') return state.account.address;
  const signedIn = accounts.accounts().find((account) => account.id === id);
  if (signedIn) return signedIn.address;
  const left = accounts.signedOut().find((account) => account.id === id);
  const service = left && services().find(({ baseUrl }) => baseUrl === left.baseUrl);
  if (!service) throw new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });
  return { baseUrl: service.baseUrl, authUrl: service.authUrl };
}
