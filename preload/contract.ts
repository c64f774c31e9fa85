/**
 * The contract between renderer and main: every call, what it takes and what it gives, and every event. Free
 * of Electron and of anything that runs but the two lists of names. Times are ms since the epoch, sizes are
 * bytes.
 */

import type { AssetType, SnippetTool } from '../shared/assets.ts';
import type { ErrorRecord } from '../shared/errors.ts';
import type { EndedPlace, HistoryEntry, JobFiles } from '../shared/job.ts';
import type { JobAction } from '../shared/job-status.ts';
import type { ProxyLogin, ProxyQuestion } from '../shared/proxy.ts';
import type { MailSettings } from '../shared/schemas/alerts.ts';
import type { Preset } from '../shared/schemas/presets.ts';
import type { Bandwidth, Program, Programs, UpdateSettings } from '../shared/schemas/settings.ts';
import type { WatchRule } from '../shared/schemas/watch-rule.ts';
import type { JobFilter } from '../shared/search/job-filter.ts';
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

/** It is there for the compiler alone: nothing of what it says exists while Tilelift runs. */
const typed = <T>() => ({}) as T;
const call = <Input, Output>() => typed<{ readonly input: Input; readonly output: Output }>();

/** Every call: what it takes, what it gives. The one list of their names. */
const calls = {
  'app.info': call<null, AppInfo>(),
  /** The first screen is drawn. */
  'app.drawn': call<null, void>(),
  /** What went wrong while Tilelift started, without keeping it from starting. */
  'app.notices': call<null, readonly ErrorRecord[]>(),
  'app.setAppearance': call<'system' | 'light' | 'dark', void>(),
  /** The window is drawn again in it. */
  'app.setLanguage': call<LanguageChoice, void>(),
  'app.setCompactRows': call<boolean, void>(),
  'app.bandwidth': call<null, Bandwidth>(),
  'app.setBandwidth': call<Bandwidth, void>(),
  /** Shows the folder of the log in the file manager. */
  'app.openLogs': call<null, void>(),
  /** Puts what support needs to know on the clipboard, without secrets. */
  'app.copyDiagnostics': call<null, void>(),
  /** What is asked by now, each once; it waits until a signed-in page takes it. */
  'desktop.take': call<null, readonly DesktopAskView[]>(),
  'network.state': call<null, NetworkView>(),
  /** Answers the proxy that asks; null when the person won't. */
  'network.answerProxy': call<ProxyLogin | null, void>(),
  /** The system's dialog for a file of certificate authorities. Gives the one that is set then. */
  'network.pickCaFile': call<null, string | null>(),
  'network.forgetCaFile': call<null, void>(),
  /** Allowing asks the person by a dialog of the system's. Gives what `plainStorage` is then. */
  'network.allowPlainStorage': call<
    { readonly accountId: string; readonly allowed: boolean },
    readonly string[]
  >(),
  'account.state': call<null, AccountView>(),
  /** Refused with `service-pair-unconfirmed` where the addresses are of different sites, unless confirmed. */
  'account.signIn': call<SignInWish, void>(),
  'account.openAgain': call<null, void>(),
  /** Puts the authorization page's address on the clipboard. */
  'account.copyLink': call<null, void>(),
  'account.pasteAddress': call<string, void>(),
  'account.cancel': call<null, void>(),
  /** Signs in with an access token of the account's settings instead of the browser. */
  'account.useAccessToken': call<SignInWish & { readonly token: string }, void>(),
  'account.dismissError': call<null, void>(),
  /** Makes a signed-in account the current one, by its id. */
  'account.switch': call<string, void>(),
  /** By the account's id. It is remembered, and one that is lost is so no more. */
  'account.signOut': call<string, void>(),
  /** Null: it is called as its service again. */
  'account.rename': call<{ readonly id: string; readonly name: string | null }, void>(),
  /** Removes an account from this computer, by its id. */
  'account.forget': call<string, void>(),
  /** The system's dialog; an empty list when the person cancels. */
  'source.pick': call<'folder' | 'files', readonly string[]>(),
  /** The paths of a job's source, by its id, to be looked at once more. */
  'source.recent': call<string, readonly string[]>(),
  /**
   * Here and in all other calls: paths that the person has given to Tilelift, or what is below them; others
   * are refused.
   */
  'source.inspect': call<
    {
      readonly paths: readonly string[];
      /** What the events about its files are to be known by. Those of another round come no more. */
      readonly round: number;
      /** Id of the job that is to be corrected: its source is looked at, whatever `paths` holds. */
      readonly correcting?: string;
      /** There is more than is shown: the pieces of that which a person put into assets, by their places. */
      readonly included?: readonly number[];
    },
    SourceView
  >(),
  /**
   * Keys of files that are left out of the source that was inspected last, by the places of their pieces: 100
   * from `from` on of those that hold the text, and how many do in all.
   */
  'source.leftOut': call<
    { readonly pieces: readonly number[]; readonly search: string; readonly from: number },
    { readonly count: number; readonly names: readonly string[] }
  >(),
  /** One of these files, by its key, becomes a piece of its own. */
  'source.partFile': call<{ readonly pieces: readonly number[]; readonly key: string }, PartedFileView>(),
  /**
   * The assets of the source that was inspected last, as a person has put them together: what was seen of
   * each is told by `source.seen`. Gives what became of those with a number of their own.
   */
  'source.regroup': call<
    { readonly round: number; readonly assets: readonly AssetOfPieces[] },
    readonly AssetMadeBefore[]
  >(),
  /** Nobody wants to know more of the source's files. */
  'source.leave': call<null, void>(),
  /** Puts names of a source's files on the clipboard, a line each. */
  'source.copyNames': call<readonly string[], void>(),
  /** Puts one of the commands on the clipboard that `howToFor` has for a file, by its place. */
  'source.copyCommand': call<{ readonly fileName: string; readonly at: number }, void>(),
  /** Coordinate systems whose code, name or area fits the text, the likeliest first; at most 20. */
  'systems.search': call<string, readonly SystemView[]>(),
  'assets.list': call<null, readonly AssetView[]>(),
  /**
   * The record of an asset, by its id: asked for now, but for one under way, which is followed anyway. As it
   * was last heard of where nothing answers.
   */
  'assets.details': call<number, AssetDetailsView>(),
  /** By an asset's id: nothing that the service is asked for. */
  'assets.here': call<number, AssetHereView>(),
  /** Whether the person is to be told when its tiling ends. */
  'assets.tell': call<{ readonly id: number; readonly wanted: boolean }, void>(),
  'assets.showSource': call<number, void>(),
  'assets.copyId': call<number, void>(),
  /** Puts the address of its page on the service on the clipboard. */
  'assets.copyLink': call<AssetOfAccount, void>(),
  /** Puts the code that shows it on the clipboard. */
  'assets.copySnippet': call<
    {
      readonly id: number;
      readonly name: string;
      readonly assetType: AssetType;
      readonly tool: SnippetTool;
    },
    void
  >(),
  /** Opens the asset's page on the service in the system browser. */
  'assets.open': call<AssetOfAccount, void>(),
  /** Throws as `jobs.create` where what was decided about the source's files can't be carried out. */
  'jobs.check': call<NewAssetInput, void>(),
  /** Gives the new job's id. */
  'jobs.create': call<NewAssetInput, string>(),
  /**
   * Newest first: all that have not ended and a page of those that have; after a place the next page of
   * these. Those whose place others have taken come with them.
   */
  'jobs.list': call<EndedPlace | null, JobsPage>(),
  /**
   * The same of the ended ones alone that a filter finds after a place; null: of all. `rest` is what it finds
   * besides.
   */
  'jobs.find': call<{ readonly filter: JobFilter; readonly after: EndedPlace | null }, JobsPage>(),
  'jobs.history': call<string, readonly HistoryEntry[]>(),
  /** At most 100 that are unfinished, and 100 that are done. */
  'jobs.files': call<string, JobFiles>(),
  'jobs.act': call<{ readonly id: string; readonly action: JobAction }, void>(),
  /** The action on each of these whose state allows it. Gives their ids. */
  'jobs.actOn': call<{ readonly ids: readonly string[]; readonly action: JobAction }, readonly string[]>(),
  /** Puts queued jobs before another one; null: behind all others. */
  'jobs.move': call<{ readonly ids: readonly string[]; readonly before: string | null }, void>(),
  /**
   * Removed jobs are on the list again as they were; null: those that were removed last. Gives the ids of
   * those that still could be.
   */
  'jobs.bringBack': call<readonly string[] | null, readonly string[]>(),
  /** Puts these jobs on the clipboard as CSV, a line each, in this order. */
  'jobs.copyList': call<readonly string[], void>(),
  'jobs.showInFolder': call<string, void>(),
  'alerts.state': call<null, AlertsView>(),
  /**
   * Null for no mail. `password`: null for the one that is kept. These ask the person about a new place by a
   * dialog of the system's.
   */
  'alerts.setMail': call<
    { readonly mail: MailSettings; readonly password: string | null } | null,
    AlertsView
  >(),
  /** Its address; null for none. */
  'alerts.setWebhook': call<string | null, AlertsView>(),
  /** Puts the webhook's key on the clipboard, a new one when true. */
  'alerts.copyKey': call<boolean, AlertsView>(),
  /** Gives what the other side said to a message that only shows that messages arrive. */
  'alerts.test': call<'mail' | 'webhook', string>(),
  'alerts.pickHeartbeat': call<null, AlertsView>(),
  /** How often, minutes; null for none. */
  'alerts.setHeartbeat': call<number | null, AlertsView>(),
  /** What is started when sources of a rule have ended, by the rule's id. */
  'programs.of': call<string, Programs>(),
  /** The system's dialog; null when the person cancels. */
  'programs.choose': call<null, string | null>(),
  /**
   * One that was chosen or is set already; a system dialog asks the person about any other. Null for none.
   */
  'programs.set': call<
    {
      readonly id: string;
      readonly when: 'success' | 'failure';
      readonly program: Program | null;
    },
    Programs
  >(),
  /** In the order in which they were made. */
  'presets.list': call<null, readonly Preset[]>(),
  /** A new one (an id unknown so far) or a changed one. Gives all of them, as `presets.remove` does. */
  'presets.save': call<Preset, readonly Preset[]>(),
  'presets.remove': call<string, readonly Preset[]>(),
  /** The system's dialog, then the file of all. Gives its path; null when the person cancels. */
  'presets.export': call<null, string | null>(),
  /** The system's dialog: a file of presets, all or none. Null when the person cancels. */
  'presets.import': call<null, ImportedPresetsView | null>(),
  'background.state': call<null, BackgroundView>(),
  'background.set': call<BackgroundChoices, BackgroundView>(),
  'updates.state': call<null, UpdatesView>(),
  'updates.set': call<UpdateSettings, UpdatesView>(),
  /** Gives its answer by `updates.changed`. */
  'updates.checkNow': call<null, void>(),
  /** Quits, installs what is ready and starts again; nothing while an upload is under way. */
  'updates.restart': call<null, void>(),
  'updates.openPage': call<null, void>(),
  /** In the order in which they were made. */
  'watch.folders': call<null, readonly RuleSnapshot[]>(),
  /** The system's dialog; null when the person cancels. */
  'watch.pickFolder': call<null, WatchableFolderView | null>(),
  /**
   * Asks the person about folders that they have typed. Keeps a new rule (an id unknown so far) or a changed
   * one, and gives all of them. `takeExisting`: also what is there already, of a changed rule what it did not
   * take before.
   */
  'watch.save': call<{ readonly rule: WatchRule; readonly takeExisting: boolean }, readonly RuleSnapshot[]>(),
  /** By the rule's id. Its receipts stay. */
  'watch.remove': call<string, void>(),
  'watch.setOn': call<{ readonly id: string; readonly on: boolean }, void>(),
  'watch.dryRun': call<WatchRule, DryRun>(),
  /** Nobody wants to know any more what it finds in files. */
  'watch.leaveDryRun': call<null, void>(),
  /** By the rule's id: what waits and what was taken, newest first; at most 500. */
  'watch.sources': call<string, readonly SourceSnapshot[]>(),
  'watch.act': call<{ readonly id: string; readonly path: string; readonly action: SourceAction }, void>(),
  /** To the question that a watched folder asks. */
  'watch.answer': call<{ readonly id: string; readonly answer: HeldAnswer }, void>(),
  /** By the rule's id, newest first; at most 500. */
  'watch.activity': call<string, readonly HistoryEntry[]>(),
  /**
   * The system's dialog, then the file. Receipts of one rule, or of all (null). Gives where they are; null
   * when the person cancels.
   */
  'watch.exportReceipts': call<
    { readonly id: string | null; readonly format: 'csv' | 'json' },
    string | null
  >(),
  /**
   * By a rule's id, or all (null): the system's dialog, then the file. Gives its path; null when cancelled.
   */
  'rules.export': call<string | null, string | null>(),
  /** The system's dialog: a file of rules. Null when the person cancels. */
  'rules.open': call<null, RulesFileView | null>(),
  /**
   * Rules of the file opened last, all or none. The person is asked about folders that they have not chosen.
   */
  'rules.import': call<ImportWishView, ImportedView>(),
  /** What is wrong with the file that was opened last, into the clipboard. */
  'rules.copyProblems': call<null, void>(),
  /** Rules of the settings file that this version can't read. */
  'rules.unreadable': call<null, readonly UnreadableRuleView[]>(),
  /** By its id. Gives those that are left. */
  'rules.removeUnreadable': call<string, readonly UnreadableRuleView[]>(),
};

export type Calls = typeof calls;

/** Every event, and what it carries. The one list of their names. */
const events = {
  'account.changed': typed<AccountView>(),
  /** There is something to take. */
  'desktop.asked': typed<null>(),
  /** Null when it has its answer. */
  'network.proxyAsks': typed<ProxyQuestion | null>(),
  /** Assets of the last list that changed since, new ones too, and the ids of those that are gone. */
  'assets.changed': typed<{ readonly changed: readonly AssetView[]; readonly removed: readonly number[] }>(),
  /**
   * At most ten a second, one in five seconds while nobody sees the page: the jobs that changed and the ids
   * of those that are gone.
   */
  'jobs.changed': typed<{ readonly changed: readonly JobView[]; readonly removed: readonly string[] }>(),
  /** At most two a second, while all files of a source are looked into. */
  'source.seen': typed<SourceSeenView>(),
  /** At most a few a second, until `source.inspect` has answered. */
  'source.walked': typed<SourceWalkedView>(),
  'updates.changed': typed<UpdatesView>(),
  /** After the answer of the last dry run: at most two a second, while files of its sources are read. */
  'watch.dryRunLooked': typed<DryRunLooked>(),
  /**
   * At most two a second, one in five seconds while nobody sees the page: all rules as they are now, and the
   * ids of those whose sources changed.
   */
  'watch.changed': typed<{
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

/** By which the preload tells main, and it alone, what was dropped. */
export const droppedChannel = 'tilelift-preload:dropped';

export const callNames = Object.keys(calls) as readonly CallName[];
export const eventNames = Object.keys(events) as readonly EventName[];

/** What the renderer sees as `window.tilelift`. */
export interface TileliftBridge {
  call<Name extends CallName>(
    name: Name,
    input: Calls[Name]['input'],
  ): Promise<Result<Calls[Name]['output']>>;
  /** Returns an unsubscribe function. */
  on<Name extends EventName>(name: Name, listener: (value: Events[Name]) => void): () => void;
  /**
   * The path of a file or folder that was dropped or picked in the page, which main then takes from it; empty
   * for a file that was made by script.
   */
  pathOf(file: File): string;
}
