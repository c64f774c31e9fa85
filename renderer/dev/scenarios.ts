import type {
  AccountView,
  AppInfo,
  AssetView,
  BackgroundView,
  BandwidthView,
  ErrorView,
  HistoryView,
  JobView,
  Result,
  ServiceView,
  SourceView,
} from '../../preload/contract.ts';
import { manyAssets, sampleAssets } from './sample-assets.ts';
import { busyJobs, manyJobs, sampleHistory } from './sample-jobs.ts';
import { brokenPolicy, officePolicy } from './sample-policy.ts';
import {
  citySource,
  lackingSource,
  largeSource,
  mixedSource,
  photoSource,
  rememberedSource,
  severalSource,
} from './sample-sources.ts';
import { waitingJobs } from './sample-waiting-jobs.ts';
import {
  manyWatched,
  noWatch,
  sampleWatch,
  suspendedWatch,
  type WatchScene,
  watchJobs,
} from './sample-watch.ts';

export interface Scenario {
  readonly info: AppInfo;
  readonly account: AccountView;
  readonly jobs: readonly JobView[];
  readonly history: readonly HistoryView[];
  readonly assets: Result<readonly AssetView[]>;
  readonly source: Result<SourceView>;
  readonly bandwidth: BandwidthView;
  readonly background: BackgroundView;
  readonly watch: WatchScene;
  readonly inspectMs: number;
  readonly createError: ErrorView | null;
  readonly pasteError: ErrorView | null;
  readonly tokenError: ErrorView | null;
  /** Jobs under way move on, ten times a second. */
  readonly moving: boolean;
}

const local: ServiceView = {
  name: 'Cesium ion',
  baseUrl: 'https://api.cesium.com',
  authUrl: 'https://ion.cesium.com',
};
const survey: ServiceView = {
  name: 'Survey North',
  baseUrl: 'https://tiles.survey-north.example',
  authUrl: 'https://survey-north.example',
};

export const denied: ErrorView = {
  code: 'sign-in-denied',
  message: 'Access was not allowed in the browser.',
  advice: 'To use Tilelift with this account, sign in again and choose Allow.',
  retryable: true,
};
const noBrowser: ErrorView = {
  code: 'browser-not-opened',
  message: 'The system browser could not be opened.',
  advice: 'Copy the link and open it in a browser yourself.',
  retryable: true,
};
const empty: ErrorView = {
  code: 'source-empty',
  message: '/data/Lieferung holds no files to upload.',
  advice: 'Choose a folder with data in it. Temporary and system files are left out.',
  retryable: false,
};
const unreachable: ErrorView = {
  code: 'service-unreachable',
  message: 'The service at api.cesium.com can’t be reached.',
  advice: 'Check the network connection and the service address in Settings, then try again.',
  retryable: true,
};
const refused: ErrorView = {
  code: 'request-refused',
  message: 'The service refused the request.',
  advice: 'Read the service’s own words, correct what they name and try again.',
  retryable: false,
  remote: { status: 400, code: 'InvalidAsset', message: 'options.sourceType is not known' },
};
const notAnAddress: ErrorView = {
  code: 'sign-in-address-invalid',
  message: 'That is not the address the browser shows after Allow.',
  advice: 'Copy the whole address that begins with tilelift://oauth/callback and paste it again.',
  retryable: true,
};

const watchFailed: ErrorView = {
  code: 'journal-unusable',
  message: 'The journal of uploads at /home/mara/.config/Tilelift/journal.db can’t be used.',
  advice: 'Check that the disk is not full and that the folder is writable, then start Tilelift again.',
  retryable: false,
};
const nested: ErrorView = {
  code: 'watch-folder-nested',
  message: 'Two rules can’t watch the same files: /srv/fme/out/ortho/2026 and /srv/fme/out/ortho.',
  advice: 'Choose a folder that is not inside a watched one and has none inside.',
  retryable: false,
};
const damaged: ErrorView = {
  code: 'journal-damaged',
  message:
    'The journal of uploads was damaged. It was set aside as /home/mara/.config/Tilelift/journal-damaged-2026-11-20T06-51-29.db.',
  advice:
    'Uploads that it still showed unfinished are listed as failed: start them again as new assets. Those that could not be read are missing from the list.',
  retryable: false,
};
const workingHours: BandwidthView = {
  limit: 20e6,
  timetable: [
    { days: [1, 2, 3, 4, 5], from: '08:00', until: '18:00', limit: 2.5e6 },
    { days: [0, 6], from: '22:00', until: '06:00', limit: null },
    { days: [], from: '12:00', until: '13:00', limit: 10e6 },
  ],
};

const tokenRefused: ErrorView = {
  code: 'access-token-refused',
  message: 'The service at https://api.cesium.com does not accept this access token.',
  advice:
    'Copy the whole token from the account’s Access Tokens settings. It needs the scopes assets:list, assets:read and assets:write.',
  retryable: false,
  remote: { status: 401, code: 'InvalidCredentials', message: 'The access token is invalid.' },
};

/** Signed in to these services, the first of them current. */
export function signedInTo(
  service: ServiceView,
  ...others: ServiceView[]
): Extract<AccountView, { kind: 'signed-in' }> {
  const accounts = [service, ...others].map((one) => {
    return {
      id: one.baseUrl,
      service: one,
      signedInBy: one === survey ? 'access-token' : 'browser',
    } as const;
  });
  return { kind: 'signed-in', id: service.baseUrl, service, error: null, accounts };
}

const signedIn: Scenario = {
  info: {
    version: '0.1.0',
    platform: 'linux',
    services: [local, survey],
    samplePath: '/usr/share/tilelift/Reichstag.zip',
    keychain: 'in-use',
    appearance: 'system',
    language: 'system',
    policy: null,
    notices: [],
  },
  account: signedInTo(local),
  jobs: busyJobs(Date.now()),
  history: sampleHistory(Date.now()),
  assets: { ok: true, value: sampleAssets },
  source: { ok: true, value: citySource },
  bandwidth: { limit: null, timetable: [] },
  background: {
    startAtLogin: true,
    canStartAtLogin: true,
    keepRunning: true,
    keepAwake: true,
    notify: true,
    askBeforeQuit: true,
  },
  watch: noWatch,
  inspectMs: 150,
  createError: null,
  pasteError: null,
  tokenError: null,
  moving: false,
};
const watching: Scenario = {
  ...signedIn,
  jobs: [...watchJobs(Date.now()), ...signedIn.jobs],
  watch: sampleWatch(Date.now(), local.baseUrl),
};
const signedOut: Scenario = { ...signedIn, jobs: [], account: { kind: 'signed-out', error: null } };
const inTenMinutes = Date.now() + 9.5 * 60_000;

export const scenarios: Readonly<Record<string, Scenario>> = {
  welcome: signedOut,
  'welcome-no-keychain': { ...signedOut, info: { ...signedOut.info, keychain: 'none' } },
  'welcome-token-refused': { ...signedOut, tokenError: tokenRefused },
  'welcome-client-id': {
    ...signedOut,
    info: { ...signedOut.info, services: [{ ...local, clientId: '1234' }, survey] },
  },
  'two-accounts': { ...signedIn, account: signedInTo({ ...local, clientId: '1234' }, survey) },
  'two-accounts-error': { ...signedIn, account: { ...signedInTo(local, survey), error: denied } },
  'welcome-keychain-locked': { ...signedOut, info: { ...signedOut.info, keychain: 'locked' } },
  'welcome-policy': {
    ...signedOut,
    info: {
      ...signedOut.info,
      services: (officePolicy.services ?? []).map((one) => ({ ...one, authUrl: survey.authUrl })),
      policy: officePolicy,
    },
  },
  'welcome-policy-broken': { ...signedOut, account: { kind: 'signed-out', error: brokenPolicy } },
  policy: { ...signedIn, info: { ...signedIn.info, policy: officePolicy } },
  denied: { ...signedOut, account: { kind: 'signed-out', error: denied } },
  starting: { ...signedOut, account: { kind: 'starting', service: local } },
  waiting: {
    ...signedOut,
    account: { kind: 'waiting-for-browser', service: local, endsAt: inTenMinutes, error: null },
    pasteError: notAnAddress,
  },
  'waiting-no-browser': {
    ...signedOut,
    account: { kind: 'waiting-for-browser', service: local, endsAt: inTenMinutes, error: noBrowser },
  },
  exchanging: { ...signedOut, account: { kind: 'exchanging', service: local } },
  first: { ...signedIn, jobs: [] },
  'first-no-sample': { ...signedIn, jobs: [], info: { ...signedIn.info, samplePath: null } },
  busy: signedIn,
  moving: { ...signedIn, moving: true },
  thousand: { ...signedIn, jobs: manyJobs(Date.now(), 1000), moving: true },
  'source-slow': { ...signedIn, inspectMs: 1e9 },
  'source-empty': { ...signedIn, source: { ok: false, error: empty } },
  'source-mixed': { ...signedIn, source: { ok: true, value: mixedSource } },
  'source-lacking': { ...signedIn, source: { ok: true, value: lackingSource } },
  'source-photos': { ...signedIn, source: { ok: true, value: photoSource } },
  'source-remembered': { ...signedIn, source: { ok: true, value: rememberedSource } },
  'source-several': { ...signedIn, source: { ok: true, value: severalSource } },
  'source-several-as-one': {
    ...signedIn,
    source: { ok: true, value: { ...severalSource, suggestParts: false } },
  },
  'source-tight': { ...signedIn, source: { ok: true, value: largeSource(0.86) } },
  'source-too-large': { ...signedIn, source: { ok: true, value: largeSource(2.3) } },
  waits: { ...signedIn, jobs: waitingJobs(Date.now()) },
  damaged: { ...signedIn, info: { ...signedIn.info, notices: [damaged] } },
  limited: { ...signedIn, bandwidth: workingHours },
  refused: { ...signedIn, createError: refused },
  'assets-empty': { ...signedIn, assets: { ok: true, value: [] } },
  'assets-error': { ...signedIn, assets: { ok: false, error: unreachable } },
  'assets-many': { ...signedIn, assets: { ok: true, value: manyAssets(5000) } },
  'watch-first': signedIn,
  watch: watching,
  'watch-busy': { ...watching, moving: true },
  'watch-many': { ...watching, watch: manyWatched(Date.now(), local.baseUrl, 50, 500) },
  'watch-failing': { ...watching, watch: { ...watching.watch, error: watchFailed } },
  'watch-suspended': { ...watching, watch: suspendedWatch(Date.now(), local.baseUrl) },
  'watch-accounts': {
    ...watching,
    account: signedInTo(survey, local),
    watch: sampleWatch(Date.now(), local.baseUrl),
  },
  'watch-refused': { ...watching, watch: { ...watching.watch, dryRun: { ok: false, error: nested } } },
  'watch-dry-run-empty': {
    ...watching,
    watch: { ...watching.watch, dryRun: { ok: true, value: { sources: [], wouldBeTaken: 0, known: 0 } } },
  },
  'background-no-login': {
    ...signedIn,
    background: { ...signedIn.background, startAtLogin: false, canStartAtLogin: false, keepRunning: false },
  },
  'no-keychain': { ...signedIn, info: { ...signedIn.info, keychain: 'none' } },
};

/** The scenario that the page's address asks for; `busy` where it names none. */
export function scenarioFrom(query: URLSearchParams): Scenario {
  const scenario = scenarios[query.get('scenario') ?? 'busy'] ?? signedIn;
  const theme = query.get('theme');
  if (theme !== 'light' && theme !== 'dark') return scenario;
  return { ...scenario, info: { ...scenario.info, appearance: theme } };
}
