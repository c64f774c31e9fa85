import type { Bandwidth, UpdateStateView } from '../../preload/contract.ts';
import { cesium, signedInTo, survey } from '../samples/sample-accounts.ts';
import { alertWays } from '../samples/sample-alerts.ts';
import { unreachableError, updateRefused } from '../samples/sample-errors.ts';
import { officePolicy } from '../samples/sample-policy.ts';
import { menu, updatesAt, usualScenario } from '../samples/usual.ts';
import type { Scenario, ShownScenario, States } from '../scenario.ts';
import { beginning, button, press, scrollTo, showScenario, typeInto } from '../steps.ts';

export const workingHours: Bandwidth = {
  limit: 20e6,
  timetable: [
    { days: [1, 2, 3, 4, 5], from: '08:00', until: '18:00', limit: 2.5e6 },
    { days: [0, 6], from: '22:00', until: '06:00', limit: null },
    { days: [], from: '12:00', until: '13:00', limit: 10e6 },
  ],
};

export const settings: States = {
  usual: showScenario(settingsScenario),
  'usual-at-the-end': showScenario(settingsScenario, scrollTo('settings.about.detail')),
  'search-proxy': showScenario(settingsScenario, typeInto('proxy', 'settings.search')),
  offline: showScenario(() => settingsScenario({ isOnline: false })),
  languages: showScenario(settingsScenario, beginning(press('combobox', 'language.title'))),
  timetable: showScenario(
    () => settingsScenario({ bandwidth: workingHours }),
    scrollTo('settings.bandwidth.timesTitle'),
  ),
  'timetable-wrong': showScenario(
    () => settingsScenario({ bandwidth: workingHours }),
    typeInto('fast', 'settings.bandwidth.limit'),
    button('settings.bandwidth.addTimes'),
  ),
  'two-accounts': showScenario(
    () => settingsScenario({ account: signedInTo({ ...cesium, clientId: '1234' }, survey) }),
    { scrollTo: 'Survey North' },
  ),
  'plain-storage': showScenario(
    () =>
      settingsScenario({
        account: signedInTo(cesium, survey),
        network: { caFile: null, proxyAsks: null, plainStorage: [survey.baseUrl] },
      }),
    { scrollTo: 'Survey North' },
  ),
  'no-keychain': showScenario(
    () => settingsScenario({ info: { ...usualScenario().info, keychain: 'none' } }),
    scrollTo('settings.keychain.notAvailable'),
  ),
  'keychain-locked': showScenario(
    () => settingsScenario({ info: { ...usualScenario().info, keychain: 'locked' } }),
    scrollTo('settings.keychain.isLocked'),
  ),
  alerts: showScenario(settingsScenario, scrollTo('settings.alerts.title')),
  'alerts-in-use': showScenario(
    () => settingsScenario({ alerts: alertWays }),
    scrollTo('settings.alerts.heartbeat'),
  ),
  'alerts-mail': showScenario(
    settingsScenario,
    scrollTo('settings.alerts.title'),
    button('settings.alerts.mailEdit'),
    button('settings.alerts.save'),
    scrollTo('settings.alerts.heartbeat'),
  ),
  'no-start-at-login': showScenario(
    () =>
      settingsScenario({
        background: {
          ...usualScenario().background,
          startAtLogin: false,
          canStartAtLogin: false,
          keepRunning: false,
          withoutWindow: 'quits',
        },
      }),
    scrollTo('settings.background.title'),
  ),
  'stays-for-uploads': showScenario(
    () =>
      settingsScenario({
        background: { ...usualScenario().background, keepRunning: false, withoutWindow: 'stays-for-uploads' },
      }),
    scrollTo('settings.background.title'),
  ),
  'update-off': updateShown({ kind: 'off', by: 'build' }),
  'update-locked': updateShown({ kind: 'off', by: 'administrator' }),
  'update-by-hand': updateShown({ kind: 'by-hand', version: '0.2.0', hasPage: true }),
  'update-downloading': updateShown({ kind: 'downloading', version: '0.2.0', percent: 41 }),
  'update-ready': updateShown({ kind: 'ready', version: '0.2.0', canRestart: true }),
  'update-failed': updateShown({ kind: 'failed', error: updateRefused }),
  'office-certificates': showScenario(
    () =>
      settingsScenario({
        network: { caFile: '/etc/ssl/certs/vermessung-nord-ca.pem', proxyAsks: null, plainStorage: [] },
      }),
    scrollTo('settings.network.forget'),
  ),
  policy: showScenario(
    () =>
      settingsScenario({
        info: { ...usualScenario().info, policy: officePolicy },
        network: { caFile: officePolicy.caFile, proxyAsks: null, plainStorage: [] },
        updates: updatesAt({ kind: 'off', by: 'administrator' }),
      }),
    scrollTo('policy.title'),
  ),
  failing: showScenario(() => settingsScenario({ actError: unreachableError }), button('settings.logs.open')),
};

function updateShown(state: UpdateStateView): ShownScenario {
  return showScenario(
    () => settingsScenario({ updates: updatesAt(state) }),
    scrollTo('settings.updates.title'),
  );
}

function settingsScenario(part: Partial<Scenario> = {}): Scenario {
  return usualScenario({ pageAsks: [menu('settings')], ...part });
}
