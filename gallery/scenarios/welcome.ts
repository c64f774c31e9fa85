import type { AccountView } from '../../preload/contract.ts';
import { moment } from '../samples/moment.ts';
import { accountMenu, cesium, signedInTo, survey } from '../samples/sample-accounts.ts';
import {
  denied,
  journalUnusable,
  mixedPair,
  noBrowser,
  notAnAddress,
  policyBroken,
  tokenRefused,
  twoSites,
} from '../samples/sample-errors.ts';
import { officePolicy } from '../samples/sample-policy.ts';
import { signedOut, usual } from '../samples/usual.ts';
import type { Scenario, States, Step } from '../scenario.ts';
import { begins, button, press, shown, typed } from '../steps.ts';

const nobody = { signedOut: [] };
const newSignIn = { service: cesium, account: null, beside: [], ...nobody };
const inTenMinutes = moment + 9.5 * 60_000;
const ownClientId: readonly Step[] = [begins(button('welcome.ownClientId'))];
const token: readonly Step[] = [begins(button('welcome.byToken'))];
const otherService: readonly Step[] = [begins(press('radio', 'welcome.other'))];

const trouble: readonly Step[] = [begins(button('welcome.browser.trouble'))];

export const welcome: States = {
  first: shown(signedOut),
  'uploads-wait': shown(() => signedOut({ jobs: usual().jobs })),
  'one-service-known': shown(() => knowing([{ ...cesium, clientId: '1234' }])),
  'other-address': shown(signedOut, ...otherService),
  'other-address-wrong': shown(
    signedOut,
    ...otherService,
    typed('http://tiles.example.com', 'account.apiAddress'),
    button('welcome.signIn'),
  ),
  'two-sites': shown(
    () => signedOut({ pairError: twoSites }),
    ...otherService,
    typed('https://tiles.vermessung.test', 'account.apiAddress'),
    typed('https://survey-north.example', 'account.signInAddress'),
    button('welcome.signIn'),
  ),
  'mixed-pair': shown(() => withAccount({ kind: 'signed-out', error: mixedPair, ...nobody })),
  'from-environment': shown(() => knowing([cesium, { ...survey, from: 'environment' }])),
  'client-id': shown(signedOut, ...ownClientId),
  'client-id-wrong': shown(
    signedOut,
    ...ownClientId,
    typed('tilelift', 'account.clientId'),
    button('welcome.signIn'),
  ),
  token: shown(signedOut, ...token),
  'token-busy': shown(() => signedOut({ silent: ['account.useAccessToken'] }), ...useToken()),
  'token-refused': shown(() => signedOut({ tokenError: tokenRefused }), ...useToken()),
  'no-keychain': shown(() => keychain('none')),
  'keychain-locked': shown(() => keychain('locked')),
  policy: shown(() => underPolicy()),
  'policy-broken': shown(() => withAccount({ kind: 'signed-out', error: policyBroken, ...nobody })),
  offline: shown(() => signedOut({ online: false })),
  denied: shown(() => withAccount({ kind: 'signed-out', error: denied, ...nobody })),
  starting: shown(() => withAccount({ kind: 'starting', ...newSignIn })),
  waiting: shown(() => browserScenario()),
  'waiting-trouble': shown(() => browserScenario(), ...trouble),
  'waiting-trouble-port': shown(() => browserScenario(), ...trouble, button('welcome.browser.avoid')),
  'waiting-no-browser': shown(() => withAccount({ ...browserScenario().account, error: noBrowser })),
  'waiting-over': shown(() => withAccount({ ...browserScenario().account, endsAt: moment - 1 })),
  'waiting-address-wrong': shown(
    () => browserScenario({ pasteError: notAnAddress }),
    ...trouble,
    typed('https://ion.cesium.com/oauth', 'welcome.browser.paste'),
    button('welcome.browser.continue'),
  ),
  exchanging: shown(() => withAccount({ kind: 'exchanging', ...newSignIn })),
  adding: shown(
    () => usual({ account: signedInTo(cesium, survey) }),
    accountMenu(),
    press('menuitem', 'account.add'),
  ),
  'proxy-asks': shown(() =>
    signedOut({ network: { caFile: null, proxyAsks: { ...proxy, again: false }, plainStorage: [] } }),
  ),
  'proxy-asks-again': shown(() =>
    signedOut({ network: { caFile: null, proxyAsks: { ...proxy, again: true }, plainStorage: [] } }),
  ),
  'cannot-start': shown(() => signedOut({ infoError: journalUnusable })),
};

const proxy = { host: 'proxy.vermessung-nord.example:3128', realm: 'Vermessung Nord' };

function withAccount(account: AccountView): Scenario {
  return signedOut({ account });
}

function browserScenario(part: Partial<Scenario> = {}) {
  const account = {
    kind: 'waiting-for-browser',
    ...newSignIn,
    returnsByScheme: true,
    endsAt: inTenMinutes,
    error: null,
  } as const;
  return { ...signedOut(part), account };
}

function keychain(state: 'none' | 'locked'): Scenario {
  return signedOut({ info: { ...usual().info, keychain: state } });
}

function knowing(services: Scenario['info']['services']): Scenario {
  return signedOut({ info: { ...usual().info, services } });
}

function underPolicy(): Scenario {
  const services = (officePolicy.services ?? []).map((service) => ({ ...service, authUrl: survey.authUrl }));
  return signedOut({ info: { ...usual().info, services, policy: officePolicy } });
}

function useToken(): readonly Step[] {
  return [...token, typed('eyJ0b2tlbiI6InNhbXBsZSJ9', 'welcome.token.label'), button('welcome.useToken')];
}
