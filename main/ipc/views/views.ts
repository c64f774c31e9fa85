import type { AccountView, AssetView, ServiceView } from '../../../preload/contract.ts';
import type { AccountService } from '../../account/model.ts';
import type { Asset, ServiceAddress } from '../../service/model.ts';

/** The service with the name that the person knows it by; its host when it has none. */
export function serviceView(address: ServiceAddress, known: readonly ServiceView[]): ServiceView {
  const match = known.find((service) => service.baseUrl === address.baseUrl);
  return {
    name: match?.name ?? new URL(address.baseUrl).host,
    baseUrl: address.baseUrl,
    authUrl: address.authUrl,
    ...(match?.clientId === undefined ? {} : { clientId: match.clientId }),
  };
}

/** Sign-in as the page sees it: without the link, which carries the state. */
export function accountView(
  accounts: Pick<AccountService, 'state' | 'accounts'>,
  known: readonly ServiceView[],
): AccountView {
  const state = accounts.state();
  switch (state.kind) {
    case 'signed-out':
      return state;
    case 'signed-in':
      return {
        kind: state.kind,
        id: state.account.id,
        service: serviceView(state.account.address, known),
        error: state.error ?? null,
        accounts: accounts.accounts().map(({ id, address, signedInBy, endsSoonAt }) => {
          return { id, service: serviceView(address, known), signedInBy, endsSoonAt };
        }),
      };
    case 'waiting-for-browser':
      return {
        kind: state.kind,
        service: serviceView(state.address, known),
        endsAt: state.endsAt,
        error: state.error,
      };
    default:
      return { kind: state.kind, service: serviceView(state.address, known) };
  }
}

export function assetView(asset: Asset): AssetView {
  const { id, type, name, bytes, dateAdded, status, percentComplete } = asset;
  return { id, type, name, bytes, dateAdded, status, percentComplete };
}
