import { clipboard, nativeTheme, shell } from 'electron';
import type { DesktopAskView, ServiceView } from '../../../preload/contract.ts';
import type { ShowGlobe } from '../../../shared/globe.ts';
import type { AccountService } from '../../account/model/model.ts';
import { type ErrorRecord, TileliftError } from '../../errors.ts';
import type { OpenBrowser } from '../../ports.ts';
import type { ServiceAddress } from '../../service/model.ts';
import { assetPageAddress } from '../../service/service-address.ts';
import type { CallHandlers } from '../bind.ts';
import { askToDelete } from '../dialogs.ts';
import type { GrantedPaths } from '../granted-paths.ts';
import { confirmPair, confirmPlain, knownServices, rememberService } from '../services.ts';
import type { Thumbnails } from '../thumbnails.ts';
import { type AppInfoParts, appInfo } from '../views/app-info.ts';
import { foundPage, jobsPage } from '../views/jobs-page.ts';
import { accountView } from '../views/views.ts';
import { alertHandlers } from './alert-handlers.ts';
import { assetHandlers } from './asset-handlers.ts';
import { type BackgroundParts, backgroundHandlers } from './background-handlers.ts';
import { jobListText } from './job-list-csv.ts';
import { askForPlainService, type NetworkParts, networkHandlers } from './network-handlers.ts';
import { presetHandlers } from './preset-handlers.ts';
import { programHandlers } from './program-handlers.ts';
import { rulesHandlers } from './rules-handlers.ts';
import { shareHandlers } from './share-handlers.ts';
import { showSource } from './show-source.ts';
import { changedJob } from './source/changed-job.ts';
import { rememberChoice } from './source/last-choices.ts';
import { type SourceParts, sourceHandlers } from './source/source-handlers.ts';
import { type UpdatesParts, updatesHandlers } from './updates-handlers.ts';
import { type WatchParts, watchHandlers } from './watch-handlers.ts';

export interface HandlerParts
  extends AppInfoParts,
    NetworkParts,
    BackgroundParts,
    UpdatesParts,
    WatchParts,
    SourceParts {
  readonly openBrowser: OpenBrowser;
  readonly showGlobe: ShowGlobe;
  /** Diagnostics contain no secrets. */
  readonly support: { openLogs(): Promise<void>; diagnostics(): Promise<string> };
  /** Pages can only name these paths. */
  readonly granted: GrantedPaths;
  /** Returns pending requests of the desktop and removes them. */
  readonly takeAsks: () => readonly DesktopAskView[];
  readonly thumbnails: Thumbnails;
  readonly onLanguage: () => void;
  readonly notices: readonly ErrorRecord[];
}

/** Creates the handlers: thin, one service call each. */
export function createHandlers(parts: HandlerParts): CallHandlers {
  const { tilelift, settings, openBrowser, showGlobe, presets, granted } = parts;
  const { accounts, jobs } = tilelift;
  const services = () => knownServices(presets, settings);
  const account = () => {
    const state = accounts.state();
    if (state.kind !== 'signed-in')
      throw new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });
    return state.account;
  };
  /** The current account at the page's last inspection. */
  let inspectedFor: string | null = null;
  /** A new asset waits for the account of its sheet if that sign-in was lost. */
  const accountOfNew = () => {
    const isLost = inspectedFor !== null && accounts.accounts().every(({ id }) => id !== inspectedFor);
    return isLost && inspectedFor !== null ? inspectedFor : account().id;
  };
  const addressOf = (id: string | null) => addressOfAccount(accounts, services, id);
  return {
    'app.info': async () => appInfo(parts),
    // Only the startup handler acts on it.
    'app.drawn': async () => {},
    'app.notices': async () => [...parts.notices, ...tilelift.notices],
    'app.setAppearance': async (appearance) => {
      settings.update({ appearance });
      nativeTheme.themeSource = appearance;
    },
    'app.setLanguage': async (language) => {
      settings.update({ language });
      parts.onLanguage();
    },
    'app.setCompactRows': async (compactRows) => settings.update({ compactRows }),
    'app.bandwidth': async () => settings.get().bandwidth,
    'app.setBandwidth': async (bandwidth) => settings.update({ bandwidth }),
    'app.openLogs': () => parts.support.openLogs(),
    'app.copyDiagnostics': async () => clipboard.writeText(await parts.support.diagnostics()),
    'desktop.take': async () => {
      const pageAsks = parts.takeAsks();
      for (const ask of pageAsks) if (ask.kind === 'source') granted.grant(ask.paths);
      return pageAsks;
    },
    ...networkHandlers(parts),
    ...alertHandlers(parts),
    ...backgroundHandlers(parts),
    ...updatesHandlers(parts),
    ...programHandlers(parts),
    ...watchHandlers(parts),
    ...rulesHandlers(parts),
    ...presetHandlers(parts),
    'account.state': async () => accountView(accounts, services()),
    'account.signIn': async ({ service, accountId }) => {
      await confirmPair(parts, service);
      await confirmPlain(parts, service, (address) => askForPlainService(address, parts.window()));
      await accounts.signIn(rememberService(parts, service), accountId);
    },
    'account.openAgain': () => accounts.openAgain(),
    'account.avoidScheme': () => accounts.avoidScheme(),
    'account.copyLink': async () => {
      const state = accounts.state();
      if (state.kind === 'waiting-for-browser') clipboard.writeText(state.link);
    },
    'account.pasteAddress': (address) => accounts.handleCallback(address.trim()),
    'account.cancel': async () => accounts.cancelSignIn(),
    'account.useAccessToken': async ({ service, token, accountId }) => {
      await confirmPlain(parts, service, (address) => askForPlainService(address, parts.window()));
      await accounts.useAccessToken(rememberService(parts, service), token, accountId);
    },
    'account.dismissError': async () => accounts.dismissError(),
    'account.switch': async (id) => accounts.switchTo(id),
    'account.signOut': async (id) => accounts.signOut(id),
    'account.rename': async ({ id, name }) => accounts.rename(id, name),
    'account.forget': async (id) => accounts.forget(id),
    ...sourceHandlers(parts, () => {
      inspectedFor = account().id;
      return inspectedFor;
    }),
    ...assetHandlers(
      tilelift,
      () => account().id,
      (path) => shell.showItemInFolder(path),
      (names) => askToDelete(parts.window(), names),
    ),
    'assets.copyId': async (id) => clipboard.writeText(String(id)),
    ...shareHandlers(
      tilelift,
      () => account().id,
      addressOf,
      (text) => clipboard.writeText(text),
    ),
    'assets.open': ({ id, accountId }) => openBrowser(assetPageAddress(addressOf(accountId), id)),
    'assets.view': async ({ id, accountId, name }) => {
      const owner = accountId ?? account().id;
      const endpoint = await accounts.serviceFor(owner).readEndpoint(id);
      const address = addressOf(accountId);
      const isShown = endpoint !== null && (await showGlobe({ owner, id, name, endpoint, address }));
      if (!isShown) await openBrowser(assetPageAddress(address, id));
    },
    'jobs.check': async (input) => {
      await granted.check(input.paths);
      await changedJob(input, tilelift.inspector);
    },
    'jobs.create': async (input) => {
      const { paths, acceptForecast, predecessor } = input;
      const previous = predecessor === undefined ? null : jobs.requestOf(predecessor);
      const accountId = previous?.accountId ?? accountOfNew();
      await granted.check(paths);
      const jobWithChanges = await changedJob(input, tilelift.inspector);
      const id = jobs.add({
        ...{ accountId, ...jobWithChanges, acceptForecast },
        ...(predecessor === undefined ? {} : { predecessor }),
        ...(previous?.exactly && { exactly: { ...previous.exactly, fingerprint: null } }),
      });
      rememberChoice(settings, accountId, input);
      parts.thumbnails.adopt(id, {
        ...(input.pieces && { pieces: input.pieces }),
        ...(input.changes && { leftOut: input.changes.leftOut }),
      });
      return id;
    },
    'thumbnails.of': (request) => parts.thumbnails.of(request),
    'jobs.list': (startPlace) => jobsPage(jobs, startPlace),
    'jobs.find': ({ filter, startPlace }) => foundPage(jobs, filter, startPlace),
    'jobs.history': async (id) => jobs.history(id),
    'jobs.files': async (id) => jobs.files(id),
    'jobs.act': ({ id, action }) => jobs.act(id, action),
    'jobs.actOn': ({ ids, action }) => jobs.actOn(ids, action),
    'jobs.move': async ({ ids, successorId }) => jobs.move(ids, successorId),
    'jobs.rename': async ({ id, name }) => jobs.rename(id, name),
    'jobs.bringBack': async (ids) => jobs.bringBack(ids),
    'jobs.copyList': async (ids) => {
      const listedJobs = ids.flatMap((id) => jobs.get(id) ?? []);
      clipboard.writeText(jobListText(listedJobs, accounts));
    },
    'jobs.showInFolder': (id) => showSource(jobs.get(id)?.paths, shell.showItemInFolder),
  };
}

/**
 * `id`: null for the current account.
 *
 * @param services all known services, for signed-out accounts
 * @throws TileliftError `not-signed-in` for an unknown account
 */
function addressOfAccount(
  accounts: Pick<AccountService, 'state' | 'accounts' | 'signedOutAccounts'>,
  services: () => readonly Pick<ServiceView, 'baseUrl' | 'authUrl'>[],
  id: string | null,
): ServiceAddress {
  const state = accounts.state();
  if (id === null && state.kind === 'signed-in') return state.account.address;
  const signedInAccount = accounts.accounts().find((account) => account.id === id);
  if (signedInAccount) return signedInAccount.address;
  const signedOutAccount = accounts.signedOutAccounts().find((account) => account.id === id);
  const service = signedOutAccount && services().find(({ baseUrl }) => baseUrl === signedOutAccount.baseUrl);
  if (!service) throw new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });
  return { baseUrl: service.baseUrl, authUrl: service.authUrl };
}
