import type { AccountView, ServiceView, SignedInView, SignedOutView } from '../../preload/contract.ts';
import type { Step } from '../scenario.ts';
import { button } from '../steps.ts';

export const cesium: ServiceView = {
  name: 'Cesium ion',
  baseUrl: 'https://api.cesium.com',
  authUrl: 'https://ion.cesium.com',
};
export const survey: ServiceView = {
  name: 'Survey North',
  baseUrl: 'https://tiles.survey-north.example',
  authUrl: 'https://survey-north.example',
};

/** Signed in to these services; the first is current. */
export function signedInTo(service: ServiceView, ...otherServices: ServiceView[]): SignedInAs {
  const [current, ...otherAccounts] = [service, ...otherServices].map((listedService) =>
    accountAt(listedService),
  );
  return signedInAs(current ?? accountAt(service), ...otherAccounts);
}

type SignedInAs = Extract<AccountView, { kind: 'signed-in' }>;

/** Signed in to these accounts; the first is current. */
export function signedInAs(account: SignedInView, ...otherAccounts: SignedInView[]): SignedInAs {
  const { id, service } = account;
  return {
    kind: 'signed-in',
    id,
    service,
    error: null,
    accounts: [account, ...otherAccounts],
    signedOut: [],
  };
}

export function accountAt(service: ServiceView, name?: string): SignedInView {
  const signedInBy = service === survey ? 'access-token' : 'browser';
  const id = name === undefined ? service.baseUrl : `${service.baseUrl} ${name}`;
  return { id, name: name ?? service.name, service, signedInBy, endsSoonAt: null };
}

export function lostAt(service: ServiceView, name?: string): SignedOutView {
  const { id, name: title } = accountAt(service, name);
  return { id, name: title, service, isLost: true };
}

export function accountMenu(name = cesium.name): Step {
  return button('shell.account.menu', { name });
}
