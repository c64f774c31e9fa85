import type { AccountView, AssetView, ServiceView } from '../../preload/contract.ts';
import type { SignInState } from '../account/model.ts';
import type { Asset, ServiceAddress } from '../service/model.ts';

/** The service with the name that the person knows it by; its host when it has none. */
export function serviceView(address: ServiceAddress, known: readonly ServiceView[]): ServiceView {
  const match = known.find((service) => service.baseUrl === address.baseUrl);
  return {
    name: match?.name ?? new URL(address.baseUrl).host,
    baseUrl: address.baseUrl,
    authUrl: address.authUrl,
  };
}

/** Sign-in as the page sees it: without the link, which carries the state. */
export function accountView(state: SignInState, known: readonly ServiceView[]): AccountView {
  switch (state.kind) {
    case 'signed-out':
      return state;
    case 'signed-in':
      return { kind: state.kind, service: serviceView(state.account.address, known) };
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
