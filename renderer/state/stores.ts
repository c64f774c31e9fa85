import { createContext } from 'svelte';
import type { Api } from '../api.ts';
import { AccountState } from './account.svelte.ts';
import { AppInfoState } from './app-info.svelte.ts';
import { AssetsState } from './assets.svelte.ts';
import { Clock, type SeenPage } from './clock.svelte.ts';
import { GuideState } from './guide.svelte.ts';
import { JobsState } from './jobs.svelte.ts';
import { type Connectivity, NetworkState } from './network.svelte.ts';
import { NewAssetState } from './new-asset/new-asset.svelte.ts';
import { Notices } from './notices.svelte.ts';
import { PresetsState } from './presets.svelte.ts';
import { RulesFileState } from './rules-file.svelte.ts';
import { RulesImportState } from './rules-import.svelte.ts';
import { AlertsState, BackgroundState, BandwidthState } from './settings.svelte.ts';
import { Thumbnails } from './thumbnails.svelte.ts';
import { UpdatesState } from './updates.svelte.ts';
import { WatchState } from './watch/watch.svelte.ts';
import { WatchEditorState } from './watch/watch-editor.svelte.ts';

/** Creates all stores. `newId` returns a unique watch rule id. */
export function makeStores(
  api: Api,
  readTime: () => number,
  newId: () => string,
  connectivity: Connectivity,
  page: SeenPage,
) {
  const watch = new WatchState(api);
  return {
    api,
    app: new AppInfoState(api),
    account: new AccountState(api),
    alerts: new AlertsState(api),
    assets: new AssetsState(api, readTime),
    background: new BackgroundState(api),
    bandwidth: new BandwidthState(api),
    clock: new Clock(readTime, page),
    guide: new GuideState(),
    jobs: new JobsState(api, readTime),
    network: new NetworkState(api, connectivity),
    newAsset: new NewAssetState(api),
    notices: new Notices(),
    presets: new PresetsState(api, newId),
    rulesFile: new RulesFileState(api),
    rulesImport: new RulesImportState(api),
    thumbnails: new Thumbnails(api),
    updates: new UpdatesState(api),
    watch,
    watchEditor: new WatchEditorState(api, newId, (folders) => watch.take(folders)),
  };
}

export type Stores = ReturnType<typeof makeStores>;

export const [useStores, provideStores] = createContext<Stores>();
