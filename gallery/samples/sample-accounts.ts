import type { AccountView, ServiceView, SignedInView, SignedOutView } from '../../preload/contract.ts';
import type { Step } from '../scenario.ts';

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
export function signedInTo(service: ServiceView, ...others: ServiceView[]): SignedInAs {
  const [first, ...further] = [service, ...others].map((one) => accountAt(one));
  return signedInAs(first ?? accountAt(service), ...further);
}

type SignedInAs = Extract<AccountView, { kind: 'signed-in' }>;

/** Signed in to these accounts; the first is current. */
export function signedInAs(account: SignedInView, ...others: SignedInView[]): SignedInAs {
  const { id, service } = account;
  return { kind: 'signed-in', id, service, error: null, accounts: [account, ...others], signedOut: [] };
}

/** An account of a service; a name marks further ones. */
export function accountAt(service: ServiceView, name?: string): SignedInView {
  const signedInBy = service === survey ? 'access-token' : 'browser';
  const id = name === undefined ? service.baseUrl : `${service.baseUrl} ${name}`;
  return { id, name: name ?? service.name, service, signedInBy, endsSoonAt: null };
}

/** An account with a lost sign-in. */
export function lostAt(service: ServiceView, name?: string): SignedOutView {
  const { id, name: title } = accountAt(service, name);
  return { id, name: title, service, isLost: true };
}

/** The account menu. */
export function accountMenu(name = cesium.name): Step {
  return { press: 'button', named: { key: 'shell.account.menu', values: { name } } };
}
