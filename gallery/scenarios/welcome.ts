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

const nobody = { signedOut: [] };
const newSignIn = { service: cesium, account: null, beside: [], ...nobody };
const inTenMinutes = moment + 9.5 * 60_000;
const ownClientId: readonly Step[] = [
  { press: 'button', named: { key: 'welcome.ownClientId' }, begins: true },
];
const token: readonly Step[] = [{ press: 'button', named: { key: 'welcome.byToken' }, begins: true }];
const otherService: readonly Step[] = [{ press: 'radio', named: { key: 'welcome.other' }, begins: true }];

const trouble: readonly Step[] = [
  { press: 'button', named: { key: 'welcome.browser.trouble' }, begins: true },
];

export const welcome: States = {
  first: { scenario: signedOut },
  'uploads-wait': { scenario: () => signedOut({ jobs: usual().jobs }) },
  'one-service-known': { scenario: () => knowing([{ ...cesium, clientId: '1234' }]) },
  'other-address': { scenario: signedOut, steps: otherService },
  'other-address-wrong': {
    scenario: signedOut,
    steps: [
      ...otherService,
      { type: 'http://tiles.example.com', into: { key: 'account.apiAddress' } },
      { press: 'button', named: { key: 'welcome.signIn' } },
    ],
  },
  'two-sites': {
    scenario: () => signedOut({ pairError: twoSites }),
    steps: [
      ...otherService,
      { type: 'https://tiles.vermessung.test', into: { key: 'account.apiAddress' } },
      { type: 'https://survey-north.example', into: { key: 'account.signInAddress' } },
      { press: 'button', named: { key: 'welcome.signIn' } },
    ],
  },
  'mixed-pair': { scenario: () => withAccount({ kind: 'signed-out', error: mixedPair, ...nobody }) },
  'from-environment': { scenario: () => knowing([cesium, { ...survey, from: 'environment' }]) },
  'client-id': { scenario: signedOut, steps: ownClientId },
  'client-id-wrong': {
    scenario: signedOut,
    steps: [
      ...ownClientId,
      { type: 'tilelift', into: { key: 'account.clientId' } },
      { press: 'button', named: { key: 'welcome.signIn' } },
    ],
  },
  token: { scenario: signedOut, steps: token },
  'token-busy': {
    scenario: () => signedOut({ silent: ['account.useAccessToken'] }),
    steps: useToken(),
  },
  'token-refused': { scenario: () => signedOut({ tokenError: tokenRefused }), steps: useToken() },
  'no-keychain': { scenario: () => keychain('none') },
  'keychain-locked': { scenario: () => keychain('locked') },
  policy: { scenario: () => underPolicy() },
  'policy-broken': { scenario: () => withAccount({ kind: 'signed-out', error: policyBroken, ...nobody }) },
  offline: { scenario: () => signedOut({ online: false }) },
  denied: { scenario: () => withAccount({ kind: 'signed-out', error: denied, ...nobody }) },
  starting: { scenario: () => withAccount({ kind: 'starting', ...newSignIn }) },
  waiting: { scenario: () => browserScenario() },
  'waiting-trouble': { scenario: () => browserScenario(), steps: trouble },
  'waiting-trouble-port': {
    scenario: () => browserScenario(),
    steps: [...trouble, { press: 'button', named: { key: 'welcome.browser.avoid' } }],
  },
  'waiting-no-browser': { scenario: () => withAccount({ ...browserScenario().account, error: noBrowser }) },
  'waiting-over': { scenario: () => withAccount({ ...browserScenario().account, endsAt: moment - 1 }) },
  'waiting-address-wrong': {
    scenario: () => browserScenario({ pasteError: notAnAddress }),
    steps: [
      ...trouble,
      { type: 'https://ion.cesium.com/oauth', into: { key: 'welcome.browser.paste' } },
      { press: 'button', named: { key: 'welcome.browser.continue' } },
    ],
  },
  exchanging: { scenario: () => withAccount({ kind: 'exchanging', ...newSignIn }) },
  adding: {
    scenario: () => usual({ account: signedInTo(cesium, survey) }),
    steps: [accountMenu(), { press: 'menuitem', named: { key: 'account.add' } }],
  },
  'proxy-asks': {
    scenario: () =>
      signedOut({ network: { caFile: null, proxyAsks: { ...proxy, again: false }, plainStorage: [] } }),
  },
  'proxy-asks-again': {
    scenario: () =>
      signedOut({ network: { caFile: null, proxyAsks: { ...proxy, again: true }, plainStorage: [] } }),
  },
  'cannot-start': { scenario: () => signedOut({ infoError: journalUnusable }) },
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
  return [
    ...token,
    { type: 'eyJ0b2tlbiI6InNhbXBsZSJ9', into: { key: 'welcome.token.label' } },
    { press: 'button', named: { key: 'welcome.useToken' } },
  ];
}
