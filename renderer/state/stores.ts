import { createContext } from 'svelte';
import type { Api } from '../api.ts';
import { AccountState } from './account.svelte.ts';
import { AlertsState } from './alerts.svelte.ts';
import { AppInfoState } from './app-info.svelte.ts';
import { AssetsState } from './assets.svelte.ts';
import { BackgroundState } from './background.svelte.ts';
import { BandwidthState } from './bandwidth.svelte.ts';
import { Clock } from './clock.svelte.ts';
import { JobsState } from './jobs.svelte.ts';
import type { Line } from './line.ts';
import { NetworkState } from './network.svelte.ts';
import { NewAssetState } from './new-asset.svelte.ts';
import { Notices } from './notices.svelte.ts';
import { RulesFileState } from './rules-file.svelte.ts';
import { RulesImportState } from './rules-import.svelte.ts';
import { UpdatesState } from './updates.svelte.ts';
import { WatchState } from './watch.svelte.ts';
import { WatchEditorState } from './watch-editor.svelte.ts';

/** Everything the screens look at, made once. */
export interface Stores {
  readonly api: Api;
  readonly app: AppInfoState;
  readonly account: AccountState;
  readonly alerts: AlertsState;
  readonly assets: AssetsState;
  readonly background: BackgroundState;
  readonly bandwidth: BandwidthState;
  readonly clock: Clock;
  readonly jobs: JobsState;
  readonly network: NetworkState;
  readonly newAsset: NewAssetState;
  readonly notices: Notices;
  readonly rulesFile: RulesFileState;
  readonly rulesImport: RulesImportState;
  readonly updates: UpdatesState;
  readonly watch: WatchState;
  readonly watchEditor: WatchEditorState;
}

/** `newId`: an id that no other watch rule has. */
export function makeStores(api: Api, now: () => number, newId: () => string, line: Line): Stores {
  const watch = new WatchState(api);
  return {
    api,
    app: new AppInfoState(api),
    account: new AccountState(api),
    alerts: new AlertsState(api),
    assets: new AssetsState(api, now),
    background: new BackgroundState(api),
    bandwidth: new BandwidthState(api),
    clock: new Clock(now),
    jobs: new JobsState(api, now),
    network: new NetworkState(api, line),
    newAsset: new NewAssetState(api),
    notices: new Notices(),
    rulesFile: new RulesFileState(api),
    rulesImport: new RulesImportState(api),
    updates: new UpdatesState(api),
    watch,
    watchEditor: new WatchEditorState(api, newId, (folders) => watch.take(folders)),
  };
}

export const [useStores, provideStores] = createContext<Stores>();
