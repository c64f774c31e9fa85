import type { AccountView } from '../../preload/contract.ts';
import { moment } from '../samples/moment.ts';
import { accountMenu, cesium, signedInTo, survey } from '../samples/sample-accounts.ts';
import {
  deniedError,
  journalUnusable,
  mixedPair,
  noBrowser,
  notAnAddress,
  policyBroken,
  tokenRefused,
  twoSites,
} from '../samples/sample-errors.ts';
import { officePolicy } from '../samples/sample-policy.ts';
import { signedOutScenario, usualScenario } from '../samples/usual.ts';
import type { Scenario, States, Step } from '../scenario.ts';
import { beginning, button, press, showScenario, typeInto } from '../steps.ts';

const withoutAccounts = { signedOut: [] };
const newSignIn = { service: cesium, account: null, beside: [], ...withoutAccounts };
const inTenMinutes = moment + 9.5 * 60_000;
const ownClientId: readonly Step[] = [beginning(button('welcome.ownClientId'))];
const token: readonly Step[] = [beginning(button('welcome.byToken'))];
const otherService: readonly Step[] = [beginning(press('radio', 'welcome.other'))];

const trouble: readonly Step[] = [beginning(button('welcome.browser.trouble'))];

export const welcome: States = {
  first: showScenario(signedOutScenario),
  'uploads-wait': showScenario(() => signedOutScenario({ jobs: usualScenario().jobs })),
  'one-service-known': showScenario(() => knownServices([{ ...cesium, clientId: '1234' }])),
  'other-address': showScenario(signedOutScenario, ...otherService),
  'other-address-wrong': showScenario(
    signedOutScenario,
    ...otherService,
    typeInto('http://tiles.example.com', 'account.apiAddress'),
    button('welcome.signIn'),
  ),
  'two-sites': showScenario(
    () => signedOutScenario({ pairError: twoSites }),
    ...otherService,
    typeInto('https://tiles.vermessung.test', 'account.apiAddress'),
    typeInto('https://survey-north.example', 'account.signInAddress'),
    button('welcome.signIn'),
  ),
  'mixed-pair': showScenario(() => withAccount({ kind: 'signed-out', error: mixedPair, ...withoutAccounts })),
  'from-environment': showScenario(() => knownServices([cesium, { ...survey, from: 'environment' }])),
  'client-id': showScenario(signedOutScenario, ...ownClientId),
  'client-id-wrong': showScenario(
    signedOutScenario,
    ...ownClientId,
    typeInto('tilelift', 'account.clientId'),
    button('welcome.signIn'),
  ),
  token: showScenario(signedOutScenario, ...token),
  'token-busy': showScenario(
    () => signedOutScenario({ silentCalls: ['account.useAccessToken'] }),
    ...useToken(),
  ),
  'token-refused': showScenario(() => signedOutScenario({ tokenError: tokenRefused }), ...useToken()),
  'no-keychain': showScenario(() => keychain('none')),
  'keychain-locked': showScenario(() => keychain('locked')),
  policy: showScenario(() => underPolicy()),
  'policy-broken': showScenario(() =>
    withAccount({ kind: 'signed-out', error: policyBroken, ...withoutAccounts }),
  ),
  offline: showScenario(() => signedOutScenario({ isOnline: false })),
  denied: showScenario(() => withAccount({ kind: 'signed-out', error: deniedError, ...withoutAccounts })),
  starting: showScenario(() => withAccount({ kind: 'starting', ...newSignIn })),
  waiting: showScenario(() => browserScenario()),
  'waiting-trouble': showScenario(() => browserScenario(), ...trouble),
  'waiting-trouble-port': showScenario(() => browserScenario(), ...trouble, button('welcome.browser.avoid')),
  'waiting-no-browser': showScenario(() => withAccount({ ...browserScenario().account, error: noBrowser })),
  'waiting-over': showScenario(() => withAccount({ ...browserScenario().account, endsAt: moment - 1 })),
  'waiting-address-wrong': showScenario(
    () => browserScenario({ pasteError: notAnAddress }),
    ...trouble,
    typeInto('https://ion.cesium.com/oauth', 'welcome.browser.paste'),
    button('welcome.browser.continue'),
  ),
  exchanging: showScenario(() => withAccount({ kind: 'exchanging', ...newSignIn })),
  adding: showScenario(
    () => usualScenario({ account: signedInTo(cesium, survey) }),
    accountMenu(),
    press('menuitem', 'account.add'),
  ),
  'proxy-asks': showScenario(() =>
    signedOutScenario({ network: { caFile: null, proxyAsks: { ...proxy, again: false }, plainStorage: [] } }),
  ),
  'proxy-asks-again': showScenario(() =>
    signedOutScenario({ network: { caFile: null, proxyAsks: { ...proxy, again: true }, plainStorage: [] } }),
  ),
  'cannot-start': showScenario(() => signedOutScenario({ infoError: journalUnusable })),
};

const proxy = { host: 'proxy.vermessung-nord.example:3128', realm: 'Vermessung Nord' };

function withAccount(account: AccountView): Scenario {
  return signedOutScenario({ account });
}

function browserScenario(part: Partial<Scenario> = {}) {
  const account = {
    kind: 'waiting-for-browser',
    ...newSignIn,
    returnsByScheme: true,
    endsAt: inTenMinutes,
    error: null,
  } as const;
  return { ...signedOutScenario(part), account };
}

function keychain(state: 'none' | 'locked'): Scenario {
  return signedOutScenario({ info: { ...usualScenario().info, keychain: state } });
}

function knownServices(services: Scenario['info']['services']): Scenario {
  return signedOutScenario({ info: { ...usualScenario().info, services } });
}

function underPolicy(): Scenario {
  const services = (officePolicy.services ?? []).map((service) => ({ ...service, authUrl: survey.authUrl }));
  return signedOutScenario({ info: { ...usualScenario().info, services, policy: officePolicy } });
}

function useToken(): readonly Step[] {
  return [...token, typeInto('eyJ0b2tlbiI6InNhbXBsZSJ9', 'welcome.token.label'), button('welcome.useToken')];
}
