import { type BrowserWindow, clipboard, dialog, nativeTheme } from 'electron';
import type { AppInfo, NewAssetInput, ServiceView } from '../../preload/contract.ts';
import type { Tilelift } from '../app.ts';
import { TileliftError } from '../errors.ts';
import type { OpenBrowser } from '../outside.ts';
import type { CreationBody } from '../service/model.ts';
import { assetPageAddress, parseServiceAddress } from '../service/service-address.ts';
import type { SettingsStore } from '../settings.ts';
import type { CallHandlers } from './bind.ts';
import { sourceView } from './source-view.ts';
import { accountView, assetView } from './views.ts';

export interface HandlerParts {
  readonly tilelift: Tilelift;
  readonly settings: SettingsStore;
  readonly openBrowser: OpenBrowser;
  readonly window: () => BrowserWindow | undefined;
  readonly info: Omit<AppInfo, 'services' | 'appearance' | 'notices'>;
  /** Presets and whatever this start brought along. */
  readonly presets: readonly ServiceView[];
}

/** What each call of the page does: thin, one service call each. */
export function createHandlers(parts: HandlerParts): CallHandlers {
  const { tilelift, settings, openBrowser, presets } = parts;
  const { accounts, jobs } = tilelift;
  const services = () => knownServices(presets, settings);
  const account = () => {
    const state = accounts.state();
    if (state.kind !== 'signed-in') throw new TileliftError('not-signed-in', { subject: 'the service' });
    return state.account;
  };
  return {
    'app.info': async () => ({
      ...parts.info,
      services: services(),
      appearance: settings.get().appearance,
      notices: tilelift.notices,
    }),
    'app.setAppearance': async (appearance) => {
      settings.update({ appearance });
      nativeTheme.themeSource = appearance;
      return null;
    },
    'app.bandwidth': async () => settings.get().bandwidth,
    'app.setBandwidth': async (bandwidth) => {
      settings.update({ bandwidth });
      return null;
    },
    'account.state': async () => accountView(accounts.state(), services()),
    'account.signIn': async (service) => {
      const address = parseServiceAddress(service);
      rememberService(settings, presets, { ...service, ...address });
      await accounts.signIn(address);
      return null;
    },
    'account.openAgain': async () => {
      await accounts.openAgain();
      return null;
    },
    'account.copyLink': async () => {
      const state = accounts.state();
      if (state.kind === 'waiting-for-browser') clipboard.writeText(state.link);
      return null;
    },
    'account.pasteAddress': async (address) => {
      await accounts.handleCallback(address.trim());
      return null;
    },
    'account.cancel': async () => {
      accounts.cancelSignIn();
      return null;
    },
    'account.signOut': async () => {
      accounts.signOut();
      return null;
    },
    'source.pick': async (what) => {
      const window = parts.window();
      const properties = [what === 'folder' ? 'openDirectory' : 'openFile', 'multiSelections'] as const;
      const options = { title: 'Choose source data', properties: [...properties] };
      const { filePaths } = window
        ? await dialog.showOpenDialog(window, options)
        : await dialog.showOpenDialog(options);
      return filePaths;
    },
    'source.inspect': async ({ paths }) => {
      const scan = await tilelift.scan(paths);
      return sourceView(paths, scan, jobs.forecast(account().id, scan.bytes));
    },
    'assets.list': async () => (await accounts.serviceFor(account().id).listAssets()).map(assetView),
    'assets.copyId': async (id) => {
      clipboard.writeText(String(id));
      return null;
    },
    'assets.open': async (id) => {
      await openBrowser(assetPageAddress(account().address, id));
      return null;
    },
    'jobs.create': async (input) =>
      jobs.add({
        accountId: account().id,
        paths: input.paths,
        body: creationBody(input),
        acceptForecast: input.acceptForecast,
      }),
    'jobs.list': async () => jobs.list(),
    'jobs.history': async (id) => jobs.history(id),
    'jobs.act': async ({ id, action }) => {
      await jobs.act(id, action);
      return null;
    },
  };
}

/** The body as the contract wants it (2.2): options that are off or empty are left out. */
function creationBody(input: NewAssetInput): CreationBody {
  return {
    name: input.name.trim(),
    ...(input.description ? { description: input.description } : {}),
    type: input.assetType,
    options: {
      sourceType: input.sourceType.trim(),
      ...(input.clampToTerrain ? { clampToTerrain: true } : {}),
      ...(input.clampToTerrain && input.baseTerrainId !== null ? { baseTerrainId: input.baseTerrainId } : {}),
    },
  };
}

function knownServices(presets: readonly ServiceView[], settings: SettingsStore): readonly ServiceView[] {
  const own = settings
    .get()
    .services.filter((one) => !presets.some((preset) => preset.baseUrl === one.baseUrl));
  return [...presets, ...own];
}

function rememberService(
  settings: SettingsStore,
  presets: readonly ServiceView[],
  service: ServiceView,
): void {
  if (presets.some((preset) => preset.baseUrl === service.baseUrl)) return;
  const others = settings.get().services.filter((one) => one.baseUrl !== service.baseUrl);
  settings.update({ services: [...others, service] });
}
