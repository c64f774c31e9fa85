import type {
  DesktopAskView,
  MenuCommandView,
  UpdateStateView,
  UpdatesView,
} from '../../preload/contract.ts';
import { backgroundSwitches } from '../../shared/background.ts';
import { noRulesFile } from '../bridge/fake-rules-file.ts';
import type { Scenario } from '../scenario.ts';
import { moment } from './moment.ts';
import { cesium, signedInTo, survey } from './sample-accounts.ts';
import { noAlertWays } from './sample-alerts.ts';
import { sampleAssets } from './sample-assets.ts';
import { busyJobs } from './sample-jobs.ts';
import { citySource } from './sample-sources.ts';
import { noWatch, sampleWatch, watchJobs } from './sample-watch.ts';

/** Signed in, with uploads in every state and a responsive main. */
export function usualScenario(part: Partial<Scenario> = {}): Scenario {
  return {
    info: {
      version: '0.1.0',
      platform: 'linux',
      services: [cesium, survey],
      samplePath: '/usr/share/tilelift/Reichstag.zip',
      keychain: 'in-use',
      appearance: 'system',
      language: 'system',
      compactRows: false,
      policy: null,
    },
    notices: [],
    infoError: null,
    account: signedInTo(cesium),
    network: { caFile: null, proxyAsks: null, plainStorage: [] },
    isOnline: true,
    jobs: busyJobs(moment),
    endedJobs: [],
    historyError: null,
    assets: { ok: true, value: sampleAssets },
    detailsError: null,
    source: { ok: true, value: citySource },
    presets: [],
    importedPresets: null,
    bandwidth: { limit: null, timetable: [] },
    alerts: noAlertWays,
    programs: { success: null, failure: null },
    background: {
      startAtLogin: true,
      canStartAtLogin: true,
      keepRunning: true,
      withoutWindow: 'stays',
      ...backgroundSwitches,
    },
    updates: updatesAt({ kind: 'idle', checkedAt: moment - 40 * 60_000 }),
    watch: noWatch,
    rulesFile: noRulesFile,
    pageAsks: [],
    silentCalls: [],
    walkedView: null,
    actError: null,
    createError: null,
    checkError: null,
    pairError: null,
    pasteError: null,
    tokenError: null,
    moving: false,
    ...part,
  };
}

export function updatesAt(state: UpdateStateView): UpdatesView {
  return { check: true, channel: 'latest', state };
}

export function signedOutScenario(part: Partial<Scenario> = {}): Scenario {
  return usualScenario({ jobs: [], account: { kind: 'signed-out', error: null, signedOut: [] }, ...part });
}

export function watchingScenario(part: Partial<Scenario> = {}): Scenario {
  return usualScenario({
    jobs: [...watchJobs(moment), ...busyJobs(moment)],
    watch: sampleWatch(moment, cesium.baseUrl),
    pageAsks: [menu('watch')],
    ...part,
  });
}

export function menu(command: MenuCommandView): DesktopAskView {
  return { kind: 'menu', command };
}
