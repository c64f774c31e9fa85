/**
 * The contract between renderer and main: all calls and events. Free of Electron; at run time it contains
 * only the two lists of names. Times are ms since the epoch, sizes are bytes.
 */

import type { ShareTexts } from '../shared/assets.ts';
import type { ErrorRecord } from '../shared/errors.ts';
import type { EndedPlace, HistoryEntry, JobFiles } from '../shared/job.ts';
import type { JobAction } from '../shared/job-status.ts';
import type { ProxyLogin, ProxyQuestion } from '../shared/proxy.ts';
import type { MailSettings } from '../shared/schemas/alerts.ts';
import type { AssetChange } from '../shared/schemas/asset-change.ts';
import type { Preset } from '../shared/schemas/presets.ts';
import type { Bandwidth, Program, Programs, UpdateSettings } from '../shared/schemas/settings.ts';
import type { WatchRule } from '../shared/schemas/watch-rule.ts';
import type { JobFilter } from '../shared/search/job-filter.ts';
import type { AssignedPlaces } from '../shared/source.ts';
import type { SomeFiles } from '../shared/source-changes.ts';
import type {
  DryRun,
  DryRunLooked,
  HeldAnswer,
  RuleSnapshot,
  SourceAction,
  SourceSnapshot,
} from '../shared/watch.ts';
import type { LanguageChoice } from '../strings/languages.ts';
import type {
  ImportedPresetsView,
  ImportedView,
  ImportWishView,
  RulesFileView,
  UnreadableRuleView,
  WatchableFolderView,
} from './rules-views.ts';
import type {
  AssetMadeBefore,
  AssetOfPieces,
  NewAssetInput,
  PartedFileView,
  SourceSeenView,
  SourceView,
  SourceWalkedView,
  SystemView,
} from './source-views.ts';
import type {
  AccountView,
  AlertsView,
  AppInfo,
  AssetDetailsView,
  AssetHereView,
  AssetOfAccount,
  AssetView,
  BackgroundChoices,
  BackgroundView,
  DesktopAskView,
  JobsPage,
  JobView,
  NetworkView,
  SignInWish,
  UpdatesView,
} from './views.ts';

export type * from '../shared/assets.ts';
export type * from '../shared/background.ts';
export type * from '../shared/errors.ts';
export type * from '../shared/findings.ts';
export type * from '../shared/job.ts';
export type * from '../shared/job-status.ts';
export type * from '../shared/proxy.ts';
export type * from '../shared/schemas/alerts.ts';
export type * from '../shared/schemas/asset-change.ts';
export type * from '../shared/schemas/presets.ts';
export type * from '../shared/schemas/settings.ts';
export type * from '../shared/schemas/watch-rule.ts';
export type * from '../shared/source.ts';
export type * from '../shared/source-changes.ts';
export type * from '../shared/updates.ts';
export type * from '../shared/watch.ts';
export type * from './rules-views.ts';
export type * from './source-views.ts';
export type * from './views.ts';

/** For the compiler only: no type information exists at run time. */
const payload = <T>() => ({}) as T;
const call = <Input, Output>() => payload<{ readonly input: Input; readonly output: Output }>();

/**
 * Subject of a thumbnail: a job, an asset, or pieces of the last inspected source (all without them), except
 * files that are left out.
 */
export type ThumbnailRequest =
  | { readonly jobId: string }
  | { readonly assetId: number }
  | { readonly pieces?: readonly number[]; readonly leftOut?: readonly SomeFiles[] };

/** Every call with its input and output. */
const calls = {
  'app.info': call<null, AppInfo>(),
  'app.drawn': call<null, void>(),
  /** Errors that start-up survived. */
  'app.notices': call<null, readonly ErrorRecord[]>(),
  'app.setAppearance': call<'system' | 'light' | 'dark', void>(),
  /** Reloads the window. */
  'app.setLanguage': call<LanguageChoice, void>(),
  'app.setCompactRows': call<boolean, void>(),
  'app.bandwidth': call<null, Bandwidth>(),
  'app.setBandwidth': call<Bandwidth, void>(),
  'app.openLogs': call<null, void>(),
  /** Copies diagnostics for support, without secrets. */
  'app.copyDiagnostics': call<null, void>(),
  /** Pending requests, each once; they wait for a signed-in page. */
  'desktop.take': call<null, readonly DesktopAskView[]>(),
  'network.state': call<null, NetworkView>(),
  /** Answers the proxy; null if the person declines. */
  'network.answerProxy': call<ProxyLogin | null, void>(),
  /** Shows the system's dialog for a file of certificate authorities. Returns the current one. */
  'network.pickCaFile': call<null, string | null>(),
  'network.forgetCaFile': call<null, void>(),
  /** Allowing asks the person in a system dialog. Returns the new `plainStorage`. */
  'network.allowPlainStorage': call<
    { readonly accountId: string; readonly allowed: boolean },
    readonly string[]
  >(),
  'account.state': call<null, AccountView>(),
  /** Fails with `service-pair-unconfirmed` if the addresses belong to different sites, unless confirmed. */
  'account.signIn': call<SignInWish, void>(),
  'account.openAgain': call<null, void>(),
  /** Opens the page again so that the browser returns without a `tilelift:` link. */
  'account.avoidScheme': call<null, void>(),
  /** Copies the authorization page's address. */
  'account.copyLink': call<null, void>(),
  'account.pasteAddress': call<string, void>(),
  'account.cancel': call<null, void>(),
  /** Signs in with an access token from the account's settings instead of the browser. */
  'account.useAccessToken': call<SignInWish & { readonly token: string }, void>(),
  'account.dismissError': call<null, void>(),
  'account.switch': call<string, void>(),
  /** Takes the account's id. It stays remembered, and is no longer marked as lost. */
  'account.signOut': call<string, void>(),
  /** Null restores the service's name. */
  'account.rename': call<{ readonly id: string; readonly name: string | null }, void>(),
  'account.forget': call<string, void>(),
  /** Shows the system's dialog; an empty list if the person cancels. */
  'source.pick': call<'folder' | 'files', readonly string[]>(),
  /** Source paths of a job, by its id, for another inspection. */
  'source.recent': call<string, readonly string[]>(),
  /**
   * Here and in all other calls: only paths that the person granted, or paths below them; main refuses
   * others.
   */
  'source.inspect': call<
    {
      readonly paths: readonly string[];
      /** Identifies the events of this inspection; those of earlier rounds stop. */
      readonly round: number;
      /** Id of the job to correct: inspects its source instead of `paths`. */
      readonly correcting?: string;
      /** Pieces that a person added to assets before the source grew. */
      readonly included?: readonly number[];
    },
    SourceView
  >(),
  /**
   * Left-out files of the last inspected source, by indexes of their pieces: 100 keys from `from` on that
   * contain the text, and the total.
   */
  'source.leftOut': call<
    { readonly pieces: readonly number[]; readonly search: string; readonly offset: number },
    { readonly count: number; readonly names: readonly string[] }
  >(),
  /** Makes one of these files its own piece, by its key. */
  'source.partFile': call<{ readonly pieces: readonly number[]; readonly key: string }, PartedFileView>(),
  /** Folders in a folder, with the data files next to them; empty if there are fewer than two folders. */
  'source.folders': call<string, readonly string[]>(),
  /**
   * Sets the person's grouping of the last inspected source; `source.seen` then reports per asset. Returns
   * existing assets made from the same files.
   */
  'source.regroup': call<
    { readonly round: number; readonly assets: readonly AssetOfPieces[] },
    readonly AssetMadeBefore[]
  >(),
  /** Places files of the last inspected source as if they had this system, an EPSG code or WKT. */
  'source.placeAs': call<{ readonly system: number | string; readonly files: SomeFiles }, AssignedPlaces>(),
  'source.leave': call<null, void>(),
  /** Copies names of a source's files, one per line. */
  'source.copyNames': call<readonly string[], void>(),
  /** Copies a command of `howToFor`, by its index. */
  'source.copyCommand': call<{ readonly fileName: string; readonly commandIndex: number }, void>(),
  /** Coordinate systems whose code, name or area matches, the likeliest first; at most 20. */
  'systems.search': call<string, readonly SystemView[]>(),
  'assets.list': call<null, readonly AssetView[]>(),
  /** An asset's record by id, fetched now, unless it is being followed. Falls back to the last known one. */
  'assets.details': call<number, AssetDetailsView>(),
  /** Takes an asset's id; doesn't ask the service. */
  'assets.here': call<number, AssetHereView>(),
  /** Whether to notify the person when its tiling ends. */
  'assets.tell': call<{ readonly id: number; readonly isSubscribed: boolean }, void>(),
  'assets.showSource': call<number, void>(),
  'assets.edit': call<{ readonly id: number; readonly change: AssetChange }, void>(),
  /** Asks the person in a system dialog that names the assets. False if the person declines. */
  'assets.delete': call<readonly number[], boolean>(),
  'assets.copyId': call<number, void>(),
  /** Texts that share the asset. Inspects the files of its upload, if known, for the extent. */
  'assets.share': call<
    AssetOfAccount & { readonly name: string; readonly assetType: string; readonly createdAt: number | null },
    ShareTexts
  >(),
  /** Copies a text of the last `assets.share`. */
  'assets.copyShared': call<keyof ShareTexts, void>(),
  'assets.open': call<AssetOfAccount, void>(),
  /** Opens a tiled asset on a globe, or its page if the service or the asset’s type doesn't allow it. */
  'assets.view': call<AssetOfAccount & { readonly name: string }, void>(),
  /** Throws like `jobs.create` if a decision about files can't be applied. */
  'jobs.check': call<NewAssetInput, void>(),
  'jobs.create': call<NewAssetInput, string>(),
  /**
   * Newest first. Null: all unfinished jobs and a page of ended ones; after a place: the next page. Replaced
   * jobs accompany their replacements.
   */
  'jobs.list': call<EndedPlace | null, JobsPage>(),
  /**
   * A page of ended jobs that match the filter, from a place or from the start (null). `rest` counts further
   * matches.
   */
  'jobs.find': call<{ readonly filter: JobFilter; readonly startPlace: EndedPlace | null }, JobsPage>(),
  'jobs.history': call<string, readonly HistoryEntry[]>(),
  /** At most 100 unfinished and 100 finished files. */
  'jobs.files': call<string, JobFiles>(),
  'jobs.act': call<{ readonly id: string; readonly action: JobAction }, void>(),
  /** Acts on each job whose state allows it, and returns their ids. */
  'jobs.actOn': call<{ readonly ids: readonly string[]; readonly action: JobAction }, readonly string[]>(),
  /** Moves queued jobs before another one; null: to the end. */
  'jobs.move': call<{ readonly ids: readonly string[]; readonly successorId: string | null }, void>(),
  'jobs.rename': call<{ readonly id: string; readonly name: string }, void>(),
  /** Restores removed jobs; null: the last removed ones. Returns the ids of restored jobs. */
  'jobs.bringBack': call<readonly string[] | null, readonly string[]>(),
  /** Copies a message to the supplier of the data: faulty files, their faults and fixes. */
  'jobs.copySupplierMessage': call<string, void>(),
  /** Copies these jobs as CSV, one line each, in this order. */
  'jobs.copyList': call<readonly string[], void>(),
  'jobs.showInFolder': call<string, void>(),
  /** A PNG of at most 160 × 160 pixels as a data URL; null if there is none. */
  'thumbnails.of': call<ThumbnailRequest, string | null>(),
  'alerts.state': call<null, AlertsView>(),
  /**
   * Null: no mail. `password`: null keeps the stored one. A new recipient needs the person's consent in a
   * system dialog.
   */
  'alerts.setMail': call<
    { readonly mail: MailSettings; readonly password: string | null } | null,
    AlertsView
  >(),
  'alerts.setWebhook': call<string | null, AlertsView>(),
  /** Copies the webhook's key; true: replaces it first. */
  'alerts.copyKey': call<boolean, AlertsView>(),
  /** Sends a test message and returns the recipient's answer. */
  'alerts.test': call<'mail' | 'webhook', string>(),
  'alerts.pickHeartbeat': call<null, AlertsView>(),
  'alerts.setHeartbeat': call<number | null, AlertsView>(),
  /** Programs that run after sources of a rule ended, by the rule's id. */
  'programs.of': call<string, Programs>(),
  /** Shows the system's dialog; null if the person cancels. */
  'programs.choose': call<null, string | null>(),
  /** A chosen or already set program, or null; any other needs the person's consent in a system dialog. */
  'programs.set': call<
    { readonly id: string; readonly when: 'success' | 'failure'; readonly program: Program | null },
    Programs
  >(),
  'presets.list': call<null, readonly Preset[]>(),
  /** Adds (unknown id) or changes a preset. Returns all, like `presets.remove`. */
  'presets.save': call<Preset, readonly Preset[]>(),
  'presets.remove': call<string, readonly Preset[]>(),
  /** Shows the system's dialog and writes all presets. Returns the path; null if the person cancels. */
  'presets.export': call<null, string | null>(),
  /** Shows the system's dialog and imports a file's presets, all or none. Null if the person cancels. */
  'presets.import': call<null, ImportedPresetsView | null>(),
  'background.state': call<null, BackgroundView>(),
  'background.set': call<BackgroundChoices, BackgroundView>(),
  'updates.state': call<null, UpdatesView>(),
  'updates.set': call<UpdateSettings, UpdatesView>(),
  'updates.checkNow': call<null, void>(),
  /** Quits, installs the update and restarts; does nothing during an upload. */
  'updates.restart': call<null, void>(),
  'updates.openPage': call<null, void>(),
  'watch.folders': call<null, readonly RuleSnapshot[]>(),
  /**
   * Shows the system's dialog (null if the person cancels), or asks whether to use a typed path.
   * Throws `path-not-given` if the person refuses it.
   */
  'watch.pickFolder': call<string | null, WatchableFolderView | null>(),
  /**
   * Saves a new (unknown id) or changed rule and returns all. Typed folders need the person's consent.
   * `takeExisting`: include existing sources; for a changed rule, newly covered ones.
   */
  'watch.save': call<{ readonly rule: WatchRule; readonly takeExisting: boolean }, readonly RuleSnapshot[]>(),
  /** Takes the rule's id. Its receipts stay. */
  'watch.remove': call<string, void>(),
  'watch.setOn': call<{ readonly id: string; readonly isOn: boolean }, void>(),
  'watch.dryRun': call<WatchRule, DryRun>(),
  /** Ends the inspection of a dry run. */
  'watch.leaveDryRun': call<null, void>(),
  /** Takes the rule's id: waiting and uploaded sources, newest first; at most 500. */
  'watch.sources': call<string, readonly SourceSnapshot[]>(),
  'watch.act': call<{ readonly id: string; readonly path: string; readonly action: SourceAction }, void>(),
  'watch.answer': call<{ readonly id: string; readonly answer: HeldAnswer }, void>(),
  /** Selected by rule id, newest first; at most 500. */
  'watch.activity': call<string, readonly HistoryEntry[]>(),
  /**
   * Shows the system's dialog and writes receipts of one rule, or of all (null). Returns the path; null if
   * the person cancels.
   */
  'watch.exportReceipts': call<
    { readonly id: string | null; readonly format: 'csv' | 'json' },
    string | null
  >(),
  /** Shows the system's dialog and writes a rule by id, or all (null). Returns its path, or null. */
  'rules.export': call<string | null, string | null>(),
  /** Shows the system's dialog for a file of rules. Null if the person cancels. */
  'rules.open': call<null, RulesFileView | null>(),
  /** Imports rules of the last opened file, all or none. New folders need the person's consent. */
  'rules.import': call<ImportWishView, ImportedView>(),
  'rules.copyProblems': call<null, void>(),
  /** Rules of the settings file that this version can't read. */
  'rules.unreadable': call<null, readonly UnreadableRuleView[]>(),
  /** By id. Returns the remaining ones. */
  'rules.removeUnreadable': call<string, readonly UnreadableRuleView[]>(),
};

export type Calls = typeof calls;

/** Every event with its value. */
const events = {
  'account.changed': payload<AccountView>(),
  'desktop.asked': payload<null>(),
  'network.proxyAsks': payload<ProxyQuestion | null>(),
  /** Some thumbnails were replaced. */
  'thumbnails.changed': payload<null>(),
  /** Changed and new assets since the last list, and ids of removed ones. */
  'assets.changed': payload<{
    readonly changed: readonly AssetView[];
    readonly removed: readonly number[];
  }>(),
  /**
   * Changed jobs and ids of removed ones. At most ten per second, or one in five seconds while the page is
   * hidden.
   */
  'jobs.changed': payload<{ readonly changed: readonly JobView[]; readonly removed: readonly string[] }>(),
  /** At most two per second during an inspection. */
  'source.seen': payload<SourceSeenView>(),
  /** At most a few per second, until `source.inspect` has answered. */
  'source.walked': payload<SourceWalkedView>(),
  'updates.changed': payload<UpdatesView>(),
  /** After the last dry run's answer: at most two per second while files are read. */
  'watch.dryRunLooked': payload<DryRunLooked>(),
  /**
   * All rules, and ids of those whose sources changed. At most two per second, or one in five seconds while
   * the page is hidden.
   */
  'watch.changed': payload<{
    readonly folders: readonly RuleSnapshot[];
    readonly sourcesOf: readonly string[];
  }>(),
};

export type Events = typeof events;

export type CallName = keyof Calls;
export type EventName = keyof Events;

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ErrorRecord };

/** Only the preload sends on it: dropped paths for main. */
export const droppedChannel = 'tilelift-preload:dropped';

export const callNames = Object.keys(calls) as readonly CallName[];
export const eventNames = Object.keys(events) as readonly EventName[];

/** The renderer's `window.tilelift`. */
export interface TileliftBridge {
  call<Name extends CallName>(
    name: Name,
    input: Calls[Name]['input'],
  ): Promise<Result<Calls[Name]['output']>>;
  on<Name extends EventName>(name: Name, listener: (value: Events[Name]) => void): () => void;
  /**
   * Path of a dropped or picked file or folder, which also grants it to main; empty for a file created by
   * script.
   */
  pathOf(file: File): string;
}
