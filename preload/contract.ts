/**
 * The contract between renderer and main: every call, what it takes and what it gives, and every event.
 * Free of Electron and of anything that runs but the two lists of names. Times are ms since the epoch, sizes are bytes.
 */

import type { LanguageChoice } from '../strings/languages.ts';
import type { AlertCalls } from './views/alerts.ts';
import type { AssetView } from './views/asset.ts';
import type { ErrorView } from './views/error.ts';
import type { HistoryView, JobAction, JobFilesView, JobView } from './views/job.ts';
import type { BandwidthView, NetworkView, ProxyAskView } from './views/network.ts';
import type { PolicyView } from './views/policy.ts';
import type { ProgramCalls } from './views/programs.ts';
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

/** Every call: what it takes, what it gives. */
export interface Calls extends AlertCalls, ProgramCalls {
  'app.info': { input: null; output: AppInfo };
  'app.setAppearance': { input: 'system' | 'light' | 'dark'; output: null };
  /** The window is drawn anew in it. */
  'app.setLanguage': { input: LanguageChoice; output: null };
  'app.bandwidth': { input: null; output: BandwidthView };
  'app.setBandwidth': { input: BandwidthView; output: null };
  /** Shows the folder of the log in the file manager. */
  'app.openLogs': { input: null; output: null };
  /** Puts what support needs to know on the clipboard, without secrets. */
  'app.copyDiagnostics': { input: null; output: null };
  /** What is asked by now, each once; it waits until a signed-in page takes it. */
  'desktop.take': { input: null; output: readonly DesktopAskView[] };
  'network.state': { input: null; output: NetworkView };
  /** Answers the proxy that asks; null when the person won't. */
  'network.answerProxy': {
    input: { readonly username: string; readonly password: string } | null;
    output: null;
  };
  /** The system's dialog for a file of certificate authorities. Gives the one that is set then. */
  'network.pickCaFile': { input: null; output: string | null };
  'network.forgetCaFile': { input: null; output: null };
  /** Allowing asks the person by a dialog of the system's. Gives what `plainStorage` is then. */
  'network.allowPlainStorage': {
    input: { readonly accountId: string; readonly allowed: boolean };
    output: readonly string[];
  };
  'account.state': { input: null; output: AccountView };
  /** Refused with `service-pair-unconfirmed` where the two addresses are of different sites and nobody has confirmed that. */
  'account.signIn': { input: ChosenServiceView; output: null };
  'account.openAgain': { input: null; output: null };
  /** Puts the authorization page's address on the clipboard. */
  'account.copyLink': { input: null; output: null };
  'account.pasteAddress': { input: string; output: null };
  'account.cancel': { input: null; output: null };
  /** Signs in with an access token of the account's settings instead of the browser. */
  'account.useAccessToken': {
    input: { readonly service: ServiceView; readonly token: string };
    output: null;
  };
  /** The person has read the error in the account's state. */
  'account.dismissError': { input: null; output: null };
  /** Makes a signed-in account the current one, by its id. */
  'account.switch': { input: string; output: null };
  /** By the account's id. */
  'account.signOut': { input: string; output: null };
  /** The system's dialog; an empty list when the person cancels. */
  'source.pick': { input: 'folder' | 'files'; output: readonly string[] };
  /** Here and in all other calls: paths that the person has given to Tilelift, or what lies below them; others are refused. */
  'source.inspect': { input: { readonly paths: readonly string[] }; output: SourceView };
  'assets.list': { input: null; output: readonly AssetView[] };
  /** Puts an asset's id on the clipboard. */
  'assets.copyId': { input: number; output: null };
  /** Opens the asset's page on the service in the system browser. */
  'assets.open': { input: number; output: null };
  /** Gives the new job's id. */
  'jobs.create': { input: NewAssetInput; output: string };
  /** Newest first. */
  'jobs.list': { input: null; output: readonly JobView[] };
  'jobs.history': { input: string; output: readonly HistoryView[] };
  /** At most 100 that are unfinished, and 100 that are done. */
  'jobs.files': { input: string; output: JobFilesView };
  'jobs.act': { input: { readonly id: string; readonly action: JobAction }; output: null };
  'background.state': { input: null; output: BackgroundView };
  /** Gives what is so now. */
  'background.set': { input: Omit<BackgroundView, 'canStartAtLogin'>; output: BackgroundView };
  'updates.state': { input: null; output: UpdatesView };
  /** Gives what is so now. */
  'updates.set': { input: Pick<UpdatesView, 'check' | 'channel'>; output: UpdatesView };
  /** Gives its answer by `updates.changed`. */
  'updates.checkNow': { input: null; output: null };
  /** Quits, installs what is ready and starts again; nothing while an upload is under way. */
  'updates.restart': { input: null; output: null };
  /** Opens the page of releases in the system browser. */
  'updates.openPage': { input: null; output: null };
  /** In the order in which they were made. */
  'watch.folders': { input: null; output: readonly WatchedFolderView[] };
  /** The system's dialog; null when the person cancels. */
  'watch.pickFolder': { input: null; output: WatchableFolderView | null };
  /** Asks the person about folders that they have typed. Keeps a new rule (an id unknown so far) or a changed one, and gives all of them. `takeExisting`: also what lies there already, of a changed rule what it did not take before. */
  'watch.save': {
    input: { readonly rule: WatchRuleView; readonly takeExisting: boolean };
    output: readonly WatchedFolderView[];
  };
  /** By the rule's id. Its receipts stay. */
  'watch.remove': { input: string; output: null };
  'watch.setOn': { input: { readonly id: string; readonly on: boolean }; output: null };
  'watch.dryRun': { input: WatchRuleView; output: DryRunView };
  /** By the rule's id: what waits and what was taken, newest first; at most 500. */
  'watch.sources': { input: string; output: readonly WatchSourceView[] };
  'watch.act': {
    input: { readonly id: string; readonly path: string; readonly action: WatchSourceAction };
    output: null;
  };
  /** By the rule's id, newest first; at most 500. */
  /** To the question that a watched folder asks. */
  'watch.answer': { input: { readonly id: string; readonly answer: WatchAnswer }; output: null };
  'watch.activity': { input: string; output: readonly HistoryView[] };
  /** The system's dialog, then the file. Receipts of one rule, or of all (null). Gives where they are; null when the person cancels. */
  'watch.exportReceipts': {
    input: { readonly id: string | null; readonly format: 'csv' | 'json' };
    output: string | null;
  };
  /** By a rule's id, or all of them (null): the system's dialog, then the file. Gives where it is; null when the person cancels. */
  'rules.export': { input: string | null; output: string | null };
  /** The system's dialog: a file of rules. Null when the person cancels. */
  'rules.open': { input: null; output: RulesFileView | null };
  /** Rules of the file that was opened last, all or none. The person is asked about folders that they have not chosen. */
  'rules.import': { input: ImportWishView; output: ImportedView };
  /** What is wrong with the file that was opened last, into the clipboard. */
  'rules.copyProblems': { input: null; output: null };
  /** Rules of the settings file that this version can't read. */
  'rules.unreadable': { input: null; output: readonly UnreadableRuleView[] };
  /** By its id. Gives those that are left. */
  'rules.removeUnreadable': { input: string; output: readonly UnreadableRuleView[] };
}

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

/** `Record`s, so that a name left out does not compile. */
const callNameSet: Record<CallName, true> = {
  'app.info': true,
  'app.setAppearance': true,
  'app.setLanguage': true,
  'app.bandwidth': true,
  'app.setBandwidth': true,
  'app.openLogs': true,
  'app.copyDiagnostics': true,
  'desktop.take': true,
  'network.state': true,
  'network.answerProxy': true,
  'network.pickCaFile': true,
  'network.forgetCaFile': true,
  'network.allowPlainStorage': true,
  'account.state': true,
  'account.signIn': true,
  'account.openAgain': true,
  'account.copyLink': true,
  'account.pasteAddress': true,
  'account.cancel': true,
  'account.useAccessToken': true,
  'account.dismissError': true,
  'account.switch': true,
  'account.signOut': true,
  'source.pick': true,
  'source.inspect': true,
  'assets.list': true,
  'assets.copyId': true,
  'assets.open': true,
  'jobs.create': true,
  'jobs.list': true,
  'jobs.history': true,
  'jobs.files': true,
  'jobs.act': true,
  'alerts.state': true,
  'alerts.setMail': true,
  'alerts.setWebhook': true,
  'alerts.copyKey': true,
  'alerts.test': true,
  'alerts.pickHeartbeat': true,
  'alerts.setHeartbeat': true,
  'programs.of': true,
  'programs.choose': true,
  'programs.set': true,
  'background.state': true,
  'background.set': true,
  'updates.state': true,
  'updates.set': true,
  'updates.checkNow': true,
  'updates.restart': true,
  'updates.openPage': true,
  'watch.folders': true,
  'watch.pickFolder': true,
  'watch.save': true,
  'watch.remove': true,
  'watch.setOn': true,
  'watch.dryRun': true,
  'watch.sources': true,
  'watch.act': true,
  'watch.answer': true,
  'watch.activity': true,
  'watch.exportReceipts': true,
  'rules.export': true,
  'rules.open': true,
  'rules.import': true,
  'rules.copyProblems': true,
  'rules.unreadable': true,
  'rules.removeUnreadable': true,
};
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

export const callNames = Object.keys(callNameSet) as readonly CallName[];
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
