/**
 * The contract between renderer and main: every call, what it takes and what it gives, and every event.
 * Free of Electron and of anything that runs but the two lists of names. Times are ms since the epoch, sizes are bytes.
 */

import type { LanguageChoice } from '../strings/languages.ts';
import type { AssetView } from './views/asset.ts';
import type { ErrorView } from './views/error.ts';
import type { HistoryView, JobAction, JobFilesView, JobView } from './views/job.ts';
import type { PolicyView } from './views/policy.ts';
import type { NewAssetInput, SourceView } from './views/source.ts';
import type { UpdatesView } from './views/updates.ts';
import type {
  DryRunView,
  WatchableFolderView,
  WatchedFolderView,
  WatchRuleView,
  WatchSourceAction,
  WatchSourceView,
} from './views/watch.ts';

export type * from './views/asset.ts';
export type * from './views/error.ts';
export type * from './views/job.ts';
export type * from './views/policy.ts';
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

/** How fast Tilelift may send, bytes a second; null for no limit. */
export interface BandwidthView {
  readonly limit: number | null;
  /** Times of the week with a limit of their own; the first that fits counts. */
  readonly timetable: readonly {
    /** 0 for Sunday. */
    readonly days: readonly number[];
    /** `HH:MM`, local time. `until` before `from` runs over midnight. */
    readonly from: string;
    readonly until: string;
    readonly limit: number | null;
  }[];
}

/** A proxy that wants a user name and password. */
export interface ProxyAskView {
  /** `host:port`. */
  readonly host: string;
  /** What it calls itself; empty where it doesn't. */
  readonly realm: string;
  /** What was given before was refused. */
  readonly again: boolean;
}

export interface NetworkView {
  /** Path of the file of further certificate authorities to trust; null for none. */
  readonly caFile: string | null;
  /** Null while nothing is asked. */
  readonly proxyAsks: ProxyAskView | null;
  /** Signed-in services (`baseUrl`) whose storage may be spoken to without encryption. */
  readonly plainStorage: readonly string[];
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
export interface Calls {
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
  /** Asks the person about folders that they have typed. Keeps a new rule (an id unknown so far) or a changed one, and gives all of them. `takeExisting`: also what lies in the folder of a new rule already. */
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
  'watch.activity': { input: string; output: readonly HistoryView[] };
  /** The system's dialog, then the file. Receipts of one rule, or of all (null). Gives where they are; null when the person cancels. */
  'watch.exportReceipts': {
    input: { readonly id: string | null; readonly format: 'csv' | 'json' };
    output: string | null;
  };
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
  'watch.activity': true,
  'watch.exportReceipts': true,
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
  /** Returns the way to stop listening. */
  on<Name extends EventName>(name: Name, listener: (value: Events[Name]) => void): () => void;
  /** The path of a file or folder that was dropped or picked in the page, which main then takes from it; empty for a file that was made by script. */
  pathOf(file: File): string;
}
