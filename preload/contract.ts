/**
 * The contract between renderer and main: every call, what it takes and what it gives, and every event.
 * Free of Electron and of anything that runs but the two lists of names. Times are ms since the epoch, sizes are bytes.
 */

import type { LanguageChoice } from '../strings/languages.ts';
import { call } from './call.ts';
import { alertCalls } from './views/alerts.ts';
import type { AssetView } from './views/asset.ts';
import type { ErrorView } from './views/error.ts';
import type { HistoryView, JobAction, JobFilesView, JobView } from './views/job.ts';
import type { BandwidthView, NetworkView, ProxyAskView } from './views/network.ts';
import type { PolicyView } from './views/policy.ts';
import { programCalls } from './views/programs.ts';
import type { ImportedView, ImportWishView, RulesFileView, UnreadableRuleView } from './views/rules-file.ts';
import type { NewAssetInput, SourceView } from './views/source.ts';
import type { UpdatesView } from './views/updates.ts';
import type {
  DryRunView,
  WatchAnswer,
  WatchableFolderView,
  WatchedFolderView,
  WatchRuleView,
  WatchSourceAction,
  WatchSourceView,
} from './views/watch.ts';

export type * from './views/alerts.ts';
export type * from './views/asset.ts';
export type * from './views/error.ts';
export type * from './views/job.ts';
export type * from './views/network.ts';
export type * from './views/policy.ts';
export type * from './views/programs.ts';
export type * from './views/rules-file.ts';
export type * from './views/source.ts';
export type * from './views/updates.ts';
export type * from './views/watch.ts';

export interface ServiceView {
  readonly name: string;
  readonly baseUrl: string;
  readonly authUrl: string;
  /** A client id of the person's own: a dashboard number or the address of a metadata document. Absent: Tilelift registers itself. */
  readonly clientId?: string;
  /** Brought along by the environment of this start, by whomever that was made. */
  readonly from?: 'environment';
}

/** A service to sign in to. */
export interface ChosenServiceView extends ServiceView {
  /** The person has been told that its two addresses are of different sites, and wants it all the same. */
  readonly isPairConfirmed?: boolean;
}

export interface AppInfo {
  readonly version: string;
  readonly platform: 'darwin' | 'win32' | 'linux';
  /** Services to offer at sign-in, the most likely first. */
  readonly services: readonly ServiceView[];
  /** Sample data to try Tilelift with, where this start has some. */
  readonly samplePath: string | null;
  /** Without one in use the sign-in lasts until Tilelift quits; a locked one keeps what it has sealed. */
  readonly keychain: 'in-use' | 'locked' | 'none';
  readonly appearance: 'system' | 'light' | 'dark';
  readonly language: LanguageChoice;
  /** Null where there is none, or none that can be used. */
  readonly policy: PolicyView | null;
  /** What went wrong while Tilelift started, without keeping it from starting. */
  readonly notices: readonly ErrorView[];
}

export type AccountView =
  | { readonly kind: 'signed-out'; readonly error: ErrorView | null }
  | { readonly kind: 'starting'; readonly service: ServiceView }
  | {
      readonly kind: 'waiting-for-browser';
      readonly service: ServiceView;
      readonly endsAt: number;
      /** Set when the browser could not be opened. */
      readonly error: ErrorView | null;
    }
  | { readonly kind: 'exchanging'; readonly service: ServiceView }
  | {
      readonly kind: 'signed-in';
      /** The current account. */
      readonly id: string;
      readonly service: ServiceView;
      /** A newer sign-in, begun from here, came to nothing; or the service ended another account's. */
      readonly error: ErrorView | null;
      /** All that are signed in, the current one among them. */
      readonly accounts: readonly SignedInView[];
    };

export interface SignedInView {
  readonly id: string;
  readonly service: ServiceView;
  readonly signedInBy: 'browser' | 'access-token';
  /** When it ends unless somebody signs in again, ms since the epoch; null where that is far, not known, or needs nobody. */
  readonly endsSoonAt: number | null;
}

/** What Tilelift does while nobody looks. */
export interface BackgroundView {
  /** Starts with the system, without a window. */
  readonly startAtLogin: boolean;
  /** False where this system has no such thing, or does not let Tilelift set it. */
  readonly canStartAtLogin: boolean;
  /** Closing the window leaves Tilelift at work. */
  readonly keepRunning: boolean;
  /** The computer does not fall asleep during uploads. */
  readonly keepAwake: boolean;
  /** Tells how an upload has ended, and what watched folders have done, some at a time. */
  readonly notify: boolean;
  /** Asks before a person quits it while uploads are under way. */
  readonly askBeforeQuit: boolean;
}

/** What a person chose in the menu: a place of the window, or something to begin. */
export type MenuCommandView =
  | 'new-asset'
  | 'choose-folder'
  | 'watch-folder'
  | 'uploads'
  | 'watch'
  | 'assets'
  | 'settings';

/** What a person wants who asked the desktop rather than the page. */
export type DesktopAskView =
  | { readonly kind: 'menu'; readonly command: MenuCommandView }
  /** Make an asset of these; absolute. */
  | { readonly kind: 'source'; readonly paths: readonly string[] }
  /** Show this job. */
  | { readonly kind: 'job'; readonly id: string };

/** Every call: what it takes, what it gives. The one list of their names. */
const calls = {
  ...alertCalls,
  ...programCalls,
  'app.info': call<null, AppInfo>(),
  'app.setAppearance': call<'system' | 'light' | 'dark', null>(),
  /** The window is drawn anew in it. */
  'app.setLanguage': call<LanguageChoice, null>(),
  'app.bandwidth': call<null, BandwidthView>(),
  'app.setBandwidth': call<BandwidthView, null>(),
  /** Shows the folder of the log in the file manager. */
  'app.openLogs': call<null, null>(),
  /** Puts what support needs to know on the clipboard, without secrets. */
  'app.copyDiagnostics': call<null, null>(),
  /** What is asked by now, each once; it waits until a signed-in page takes it. */
  'desktop.take': call<null, readonly DesktopAskView[]>(),
  'network.state': call<null, NetworkView>(),
  /** Answers the proxy that asks; null when the person won't. */
  'network.answerProxy': call<{ readonly username: string; readonly password: string } | null, null>(),
  /** The system's dialog for a file of certificate authorities. Gives the one that is set then. */
  'network.pickCaFile': call<null, string | null>(),
  'network.forgetCaFile': call<null, null>(),
  /** Allowing asks the person by a dialog of the system's. Gives what `plainStorage` is then. */
  'network.allowPlainStorage': call<
    { readonly accountId: string; readonly allowed: boolean },
    readonly string[]
  >(),
  'account.state': call<null, AccountView>(),
  /** Refused with `service-pair-unconfirmed` where the two addresses are of different sites and nobody has confirmed that. */
  'account.signIn': call<ChosenServiceView, null>(),
  'account.openAgain': call<null, null>(),
  /** Puts the authorization page's address on the clipboard. */
  'account.copyLink': call<null, null>(),
  'account.pasteAddress': call<string, null>(),
  'account.cancel': call<null, null>(),
  /** Signs in with an access token of the account's settings instead of the browser. */
  'account.useAccessToken': call<{ readonly service: ServiceView; readonly token: string }, null>(),
  /** The person has read the error in the account's state. */
  'account.dismissError': call<null, null>(),
  /** Makes a signed-in account the current one, by its id. */
  'account.switch': call<string, null>(),
  /** By the account's id. */
  'account.signOut': call<string, null>(),
  /** The system's dialog; an empty list when the person cancels. */
  'source.pick': call<'folder' | 'files', readonly string[]>(),
  /** Here and in all other calls: paths that the person has given to Tilelift, or what lies below them; others are refused. */
  'source.inspect': call<{ readonly paths: readonly string[] }, SourceView>(),
  'assets.list': call<null, readonly AssetView[]>(),
  /** Puts an asset's id on the clipboard. */
  'assets.copyId': call<number, null>(),
  /** Opens the asset's page on the service in the system browser. */
  'assets.open': call<number, null>(),
  /** Gives the new job's id. */
  'jobs.create': call<NewAssetInput, string>(),
  /** Newest first. */
  'jobs.list': call<null, readonly JobView[]>(),
  'jobs.history': call<string, readonly HistoryView[]>(),
  /** At most 100 that are unfinished, and 100 that are done. */
  'jobs.files': call<string, JobFilesView>(),
  'jobs.act': call<{ readonly id: string; readonly action: JobAction }, null>(),
  'background.state': call<null, BackgroundView>(),
  /** Gives what is so now. */
  'background.set': call<Omit<BackgroundView, 'canStartAtLogin'>, BackgroundView>(),
  'updates.state': call<null, UpdatesView>(),
  /** Gives what is so now. */
  'updates.set': call<Pick<UpdatesView, 'check' | 'channel'>, UpdatesView>(),
  /** Gives its answer by `updates.changed`. */
  'updates.checkNow': call<null, null>(),
  /** Quits, installs what is ready and starts again; nothing while an upload is under way. */
  'updates.restart': call<null, null>(),
  /** Opens the page of releases in the system browser. */
  'updates.openPage': call<null, null>(),
  /** In the order in which they were made. */
  'watch.folders': call<null, readonly WatchedFolderView[]>(),
  /** The system's dialog; null when the person cancels. */
  'watch.pickFolder': call<null, WatchableFolderView | null>(),
  /** Asks the person about folders that they have typed. Keeps a new rule (an id unknown so far) or a changed one, and gives all of them. `takeExisting`: also what lies there already, of a changed rule what it did not take before. */
  'watch.save': call<
    { readonly rule: WatchRuleView; readonly takeExisting: boolean },
    readonly WatchedFolderView[]
  >(),
  /** By the rule's id. Its receipts stay. */
  'watch.remove': call<string, null>(),
  'watch.setOn': call<{ readonly id: string; readonly on: boolean }, null>(),
  'watch.dryRun': call<WatchRuleView, DryRunView>(),
  /** By the rule's id: what waits and what was taken, newest first; at most 500. */
  'watch.sources': call<string, readonly WatchSourceView[]>(),
  'watch.act': call<
    { readonly id: string; readonly path: string; readonly action: WatchSourceAction },
    null
  >(),
  /** By the rule's id, newest first; at most 500. */
  /** To the question that a watched folder asks. */
  'watch.answer': call<{ readonly id: string; readonly answer: WatchAnswer }, null>(),
  'watch.activity': call<string, readonly HistoryView[]>(),
  /** The system's dialog, then the file. Receipts of one rule, or of all (null). Gives where they are; null when the person cancels. */
  'watch.exportReceipts': call<
    { readonly id: string | null; readonly format: 'csv' | 'json' },
    string | null
  >(),
  /** By a rule's id, or all of them (null): the system's dialog, then the file. Gives where it is; null when the person cancels. */
  'rules.export': call<string | null, string | null>(),
  /** The system's dialog: a file of rules. Null when the person cancels. */
  'rules.open': call<null, RulesFileView | null>(),
  /** Rules of the file that was opened last, all or none. The person is asked about folders that they have not chosen. */
  'rules.import': call<ImportWishView, ImportedView>(),
  /** What is wrong with the file that was opened last, into the clipboard. */
  'rules.copyProblems': call<null, null>(),
  /** Rules of the settings file that this version can't read. */
  'rules.unreadable': call<null, readonly UnreadableRuleView[]>(),
  /** By its id. Gives those that are left. */
  'rules.removeUnreadable': call<string, readonly UnreadableRuleView[]>(),
};

export type Calls = typeof calls;

/** Every event, and what it carries. */
export interface Events {
  'account.changed': AccountView;
  /** There is something to take. */
  'desktop.asked': null;
  /** Null when it has its answer. */
  'network.proxyAsks': ProxyAskView | null;
  /** At most ten a second, with the jobs that changed and the ids of those that are gone. */
  'jobs.changed': { readonly changed: readonly JobView[]; readonly removed: readonly string[] };
  'updates.changed': UpdatesView;
  /** At most two a second: all rules as they are now, and the ids of those whose sources changed. */
  'watch.changed': {
    readonly folders: readonly WatchedFolderView[];
    readonly sourcesOf: readonly string[];
  };
}

export type CallName = keyof Calls;
export type EventName = keyof Events;

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ErrorView };

/** A `Record`, so that a name left out does not compile. */
const eventNameSet: Record<EventName, true> = {
  'account.changed': true,
  'desktop.asked': true,
  'network.proxyAsks': true,
  'jobs.changed': true,
  'updates.changed': true,
  'watch.changed': true,
};

/** By which the preload tells main, and it alone, what was dropped. */
export const droppedChannel = 'tilelift-preload:dropped';

export const callNames = Object.keys(calls) as readonly CallName[];
export const eventNames = Object.keys(eventNameSet) as readonly EventName[];

/** What the renderer sees as `window.tilelift`. */
export interface TileliftBridge {
  call<Name extends CallName>(
    name: Name,
    input: Calls[Name]['input'],
  ): Promise<Result<Calls[Name]['output']>>;
  /** Returns an unsubscribe function. */
  on<Name extends EventName>(name: Name, listener: (value: Events[Name]) => void): () => void;
  /** The path of a file or folder that was dropped or picked in the page, which main then takes from it; empty for a file that was made by script. */
  pathOf(file: File): string;
}
