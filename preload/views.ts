import type { Asset } from '../shared/assets.ts';
import type { WithoutWindow } from '../shared/background.ts';
import type { ErrorRecord } from '../shared/errors.ts';
import type { EndedPlace, EndedRest, JobFacts } from '../shared/job.ts';
import type { ProxyQuestion } from '../shared/proxy.ts';
import type {
  AlertOutcome,
  AlertPlace,
  AlertSettings,
  MailSettings,
  WebhookSettings,
} from '../shared/schemas/alerts.ts';
import type { UpdateSettings } from '../shared/schemas/settings.ts';
import type { NamedService } from '../shared/services.ts';
import type { SwitchedOffBy, UpdatePhase } from '../shared/updates.ts';
import type { LanguageChoice } from '../strings/languages.ts';

/** What is made for pages alone. What main knows in the same shape is in `shared/`. */

export interface ServiceView extends NamedService {
  /**
   * A client id of the person's own: a dashboard number or the address of a metadata document. Absent:
   * Tilelift registers itself.
   */
  readonly clientId?: string;
  /** Brought along by the environment of this start, by whomever that was made. */
  readonly from?: 'environment';
}

/** A service to sign in to. */
export interface ChosenServiceView extends ServiceView {
  /** The person has been told that its two addresses are of different sites, and wants it anyway. */
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
  /** Uploads are listed in one line each. */
  readonly compactRows: boolean;
  /** Null where there is none, or none that can be used. */
  readonly policy: PolicyView | null;
}

/** An account as the person knows it. */
export interface NamedAccountView {
  readonly id: string;
  /** Its own name, else that of its service, numbered where that has several. Never empty. */
  readonly name: string;
  readonly service: ServiceView;
}

/** An account that nobody is signed in to. */
export interface SignedOutView extends NamedAccountView {
  /** Nobody signed out of it. */
  readonly isLost: boolean;
}

/** A sign-in under way. */
interface SigningInView {
  readonly service: ServiceView;
  /** Name of the account that it is for; null for one that is new. */
  readonly account: string | null;
  /** Names of other accounts of the service that are signed in: the browser may take the person for these. */
  readonly beside: readonly string[];
}

export type AccountView = {
  /** All that are remembered and not signed in, whose services are offered. */
  readonly signedOut: readonly SignedOutView[];
} & (
  | { readonly kind: 'signed-out'; readonly error: ErrorRecord | null }
  | (SigningInView & { readonly kind: 'starting' | 'exchanging' })
  | (SigningInView & {
      readonly kind: 'waiting-for-browser';
      readonly endsAt: number;
      /** Set when the browser could not be opened. */
      readonly error: ErrorRecord | null;
    })
  | {
      readonly kind: 'signed-in';
      /** The current account. */
      readonly id: string;
      readonly service: ServiceView;
      /** A newer sign-in, begun from here, came to nothing. */
      readonly error: ErrorRecord | null;
      /** All that are signed in, the current one among them. */
      readonly accounts: readonly SignedInView[];
    }
);

/** Whom a sign-in is for. */
export interface SignInWish {
  readonly service: ChosenServiceView;
  /** Id of a remembered account of the service. Absent: its only one, or else a new one. */
  readonly accountId?: string;
}

export interface SignedInView extends NamedAccountView {
  readonly signedInBy: 'browser' | 'access-token';
  /**
   * When it ends unless someone signs in again, ms since the epoch; null where that is far, not known, or
   * needs nobody.
   */
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
  /** What closing the window would do now. */
  readonly withoutWindow: WithoutWindow;
  /** The computer does not fall asleep during uploads. */
  readonly keepAwake: boolean;
  /** Tells how an upload has ended, and what watched folders have done, some at a time. */
  readonly notify: boolean;
  /** Asks before a person quits it while uploads are under way. */
  readonly askBeforeQuit: boolean;
}

/** What a person chooses of it. */
export type BackgroundChoices = Omit<BackgroundView, 'canStartAtLogin' | 'withoutWindow'>;

/** What a person chose in the menu: a place of the window, or something to begin. */
export type MenuCommandView =
  | 'new-asset'
  | 'choose-folder'
  | 'watch-folder'
  | 'uploads'
  | 'watch'
  | 'assets'
  | 'settings'
  | 'palette'
  | 'help'
  | 'shortcuts';

/** What a person wants who asked the desktop rather than the page. */
export type DesktopAskView =
  | { readonly kind: 'menu'; readonly command: MenuCommandView }
  /** Create an asset from these; absolute. */
  | { readonly kind: 'source'; readonly paths: readonly string[] }
  /** Show this job. */
  | { readonly kind: 'job'; readonly id: string }
  /** List these jobs and no others. */
  | { readonly kind: 'jobs'; readonly ids: readonly string[] };

/** Some of the uploads. */
export interface JobsPage {
  readonly jobs: readonly JobView[];
  /** Where the next page goes on; null where this is the last. */
  readonly next: EndedPlace | null;
  /** What the next pages hold. */
  readonly rest: EndedRest;
}

/** A job as a page gets it. */
export interface JobView extends JobFacts {
  /** How many paths there are besides, where these are not all. */
  readonly morePaths?: number;
}

export interface AssetView
  extends Pick<Asset, 'id' | 'type' | 'name' | 'bytes' | 'dateAdded' | 'status' | 'percentComplete'> {
  /** This computer uploaded it, or begins to. */
  readonly madeHere: boolean;
}

/** Everything that the service says of an asset, cut to what a person reads. */
export interface AssetDetailsView {
  readonly asset: AssetView;
  /** Markdown. */
  readonly description: string;
  readonly attribution: string;
  /** What went wrong, and what tiling is doing now, in the service's words; null for nothing. */
  readonly error: string | null;
  readonly progressMessage: string | null;
  /** All fields by their names, as the service sends them. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  /** Further fields, which are not shown. */
  readonly moreFields: number;
}

/** One upload of this computer that an asset was created for. */
export interface AssetUploadView {
  /** Of its job on the list of uploads; null where it is on it no more. */
  readonly jobId: string | null;
  /** Absolute, the first ones. Empty where nobody knows any more. */
  readonly paths: readonly string[];
  readonly morePaths: number;
  /** The source is still there, to be shown in its folder. */
  readonly isThere: boolean;
  /** By which watched folder's rule, its name; null: a person did. */
  readonly rule: string | null;
  /** When it was taken; null where nobody knows any more. */
  readonly createdAt: number | null;
  readonly uploadedAt: number | null;
  readonly files: number | null;
  readonly bytes: number | null;
}

/** What this computer knows of an asset. */
export interface AssetHereView {
  /** Newest first. */
  readonly uploads: readonly AssetUploadView[];
  /** The person is told when its tiling ends. */
  readonly isTold: boolean;
}

/** On which ways alerts go out. No password and no key is among it. */
export interface AlertsView {
  readonly mail: (MailSettings & { readonly hasPassword: boolean }) | null;
  readonly webhook: (WebhookSettings & { readonly hasKey: boolean }) | null;
  readonly heartbeat: AlertSettings['heartbeat'];
  /** Messages that could not be sent yet. */
  readonly waiting: number;
  /** How it last went, by way. */
  readonly last: Readonly<Record<AlertPlace, AlertOutcome | null>>;
}

export interface NetworkView {
  /** Path of the file of further certificate authorities to trust; null for none. */
  readonly caFile: string | null;
  /** Null while nothing is asked. */
  readonly proxyAsks: ProxyQuestion | null;
  /** Signed-in services (`baseUrl`) whose storage may be spoken to without encryption. */
  readonly plainStorage: readonly string[];
}

/** Updates: what is set, and where they stand. */
export interface UpdatesView extends UpdateSettings {
  readonly state: UpdateStateView;
}

export type UpdateStateView =
  | { readonly kind: 'off'; readonly by: NonNullable<SwitchedOffBy> }
  | Exclude<UpdatePhase, { readonly kind: 'by-hand' | 'ready' }>
  /** `hasPage`: there is a page to get it from. */
  | (Extract<UpdatePhase, { readonly kind: 'by-hand' }> & { readonly hasPage: boolean })
  | (Extract<UpdatePhase, { readonly kind: 'ready' }> & { readonly canRestart: boolean });

/** What the administrator of this computer has set, and the person can't change. Null: it is theirs. */
export interface PolicyView {
  /** Of the file that says so. */
  readonly path: string;
  /** Offered at sign-in; a client id among them is not the person's to change. */
  readonly services:
    | readonly { readonly name: string; readonly baseUrl: string; readonly clientId?: string }[]
    | null;
  /** No other services may be used. */
  readonly onlyThose: boolean;
  readonly proxy:
    | { readonly mode: 'system' | 'direct' }
    | { readonly mode: 'fixed'; readonly server: string }
    | { readonly mode: 'pac'; readonly address: string }
    | null;
  readonly caFile: string | null;
  /** Whether storage may be spoken to without encryption. */
  readonly plainStorage: boolean | null;
  readonly updates: { readonly allowed: boolean; readonly channel: 'latest' | 'beta' | null } | null;
  /** Only what is in these folders may be watched. */
  readonly watchRoots: readonly string[] | null;
  /** How many watch rules it sets; null: it says nothing of them. */
  readonly watchRules: number | null;
}

/** An asset, by its id, which is a service's own. */
export interface AssetOfAccount {
  readonly id: number;
  /** Whose it is; null for the account that is shown. */
  readonly accountId: string | null;
}
