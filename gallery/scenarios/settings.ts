import type { Bandwidth, UpdateStateView } from '../../preload/contract.ts';
import { cesium, signedInTo, survey } from '../samples/sample-accounts.ts';
import { alertWays } from '../samples/sample-alerts.ts';
import { unreachable, updateRefused } from '../samples/sample-errors.ts';
import { officePolicy } from '../samples/sample-policy.ts';
import { menu, updatesAt, usual } from '../samples/usual.ts';
import type { Scenario, Shown, States } from '../scenario.ts';

export const workingHours: Bandwidth = {
  limit: 20e6,
  timetable: [
    { days: [1, 2, 3, 4, 5], from: '08:00', until: '18:00', limit: 2.5e6 },
    { days: [0, 6], from: '22:00', until: '06:00', limit: null },
    { days: [], from: '12:00', until: '13:00', limit: 10e6 },
  ],
};

export const settings: States = {
  usual: { scenario: settingsScenario },
  'usual-at-the-end': { scenario: settingsScenario, steps: [{ scrollTo: { key: 'settings.about.detail' } }] },
  'search-proxy': {
    scenario: settingsScenario,
    steps: [{ type: 'proxy', into: { key: 'settings.search' } }],
  },
  offline: { scenario: () => settingsScenario({ online: false }) },
  languages: {
    scenario: settingsScenario,
    steps: [{ press: 'combobox', named: { key: 'language.title' }, begins: true }],
  },
  timetable: { scenario: () => settingsScenario({ bandwidth: workingHours }) },
  'timetable-wrong': {
    scenario: () => settingsScenario({ bandwidth: workingHours }),
    steps: [
      { type: 'fast', into: { key: 'settings.bandwidth.limit' } },
      { press: 'button', named: { key: 'settings.bandwidth.addTimes' } },
    ],
  },
  'two-accounts': {
    scenario: () => settingsScenario({ account: signedInTo({ ...cesium, clientId: '1234' }, survey) }),
    steps: [{ scrollTo: 'Survey North' }],
  },
  'plain-storage': {
    scenario: () =>
      settingsScenario({
        account: signedInTo(cesium, survey),
        network: { caFile: null, proxyAsks: null, plainStorage: [survey.baseUrl] },
      }),
    steps: [{ scrollTo: 'Survey North' }],
  },
  'no-keychain': {
    scenario: () => settingsScenario({ info: { ...usual().info, keychain: 'none' } }),
    steps: [{ scrollTo: { key: 'settings.keychain.notAvailable' } }],
  },
  'keychain-locked': {
    scenario: () => settingsScenario({ info: { ...usual().info, keychain: 'locked' } }),
    steps: [{ scrollTo: { key: 'settings.keychain.isLocked' } }],
  },
  alerts: { scenario: settingsScenario, steps: [{ scrollTo: { key: 'settings.alerts.title' } }] },
  'alerts-in-use': {
    scenario: () => settingsScenario({ alerts: alertWays }),
    steps: [{ scrollTo: { key: 'settings.alerts.heartbeat' } }],
  },
  'alerts-mail': {
    scenario: settingsScenario,
    steps: [
      { scrollTo: { key: 'settings.alerts.title' } },
      { press: 'button', named: { key: 'settings.alerts.mailEdit' } },
      { press: 'button', named: { key: 'settings.alerts.save' } },
      { scrollTo: { key: 'settings.alerts.heartbeat' } },
    ],
  },
  'no-start-at-login': {
    scenario: () =>
      settingsScenario({
        background: {
          ...usual().background,
          startAtLogin: false,
          canStartAtLogin: false,
          keepRunning: false,
          withoutWindow: 'quits',
        },
      }),
    steps: [{ scrollTo: { key: 'settings.background.title' } }],
  },
  'stays-for-uploads': {
    scenario: () =>
      settingsScenario({
        background: { ...usual().background, keepRunning: false, withoutWindow: 'stays-for-uploads' },
      }),
    steps: [{ scrollTo: { key: 'settings.background.title' } }],
  },
  'update-off': updateShown({ kind: 'off', by: 'build' }),
  'update-locked': updateShown({ kind: 'off', by: 'administrator' }),
  'update-by-hand': updateShown({ kind: 'by-hand', version: '0.2.0', hasPage: true }),
  'update-downloading': updateShown({ kind: 'downloading', version: '0.2.0', percent: 41 }),
  'update-ready': updateShown({ kind: 'ready', version: '0.2.0', canRestart: true }),
  'update-failed': updateShown({ kind: 'failed', error: updateRefused }),
  'office-certificates': {
    scenario: () =>
      settingsScenario({
        network: { caFile: '/etc/ssl/certs/vermessung-nord-ca.pem', proxyAsks: null, plainStorage: [] },
      }),
    steps: [{ scrollTo: { key: 'settings.network.forget' } }],
  },
  policy: {
    scenario: () =>
      settingsScenario({
        info: { ...usual().info, policy: officePolicy },
        network: { caFile: officePolicy.caFile, proxyAsks: null, plainStorage: [] },
        updates: updatesAt({ kind: 'off', by: 'administrator' }),
      }),
    steps: [{ scrollTo: { key: 'policy.title' } }],
  },
  failing: {
    scenario: () => settingsScenario({ actError: unreachable }),
    steps: [{ press: 'button', named: { key: 'settings.logs.open' } }],
  },
};

function updateShown(state: UpdateStateView): Shown {
  return {
    scenario: () => settingsScenario({ updates: updatesAt(state) }),
    steps: [{ scrollTo: { key: 'settings.updates.title' } }],
  };
}

function settingsScenario(part: Partial<Scenario> = {}): Scenario {
  return usual({ asks: [menu('settings')], ...part });
}
