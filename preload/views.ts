import type { Asset } from '../shared/assets.ts';
import type { BackgroundSwitches, WithoutWindow } from '../shared/background.ts';
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

/** Types for pages only. Types shared with main are in `shared/`. */

export interface ServiceView extends NamedService {
  /**
   * A custom client id: a dashboard number or a metadata document's address. Absent: Tilelift registers
   * itself.
   */
  readonly clientId?: string;
  /** Defined by the environment of this start, an untrusted origin. */
  readonly from?: 'environment';
}

export interface ChosenServiceView extends ServiceView {
  /** The person confirmed that its two addresses belong to different sites. */
  readonly isPairConfirmed?: boolean;
}

export interface AppInfo {
  readonly version: string;
  readonly platform: 'darwin' | 'win32' | 'linux';
  /** Services to offer at sign-in, the likeliest first. */
  readonly services: readonly ServiceView[];
  /** Path of sample data; null if this start has none. */
  readonly samplePath: string | null;
  /** Without a keychain the sign-in lasts until Tilelift quits; a locked one keeps its sealed data. */
  readonly keychain: 'in-use' | 'locked' | 'none';
  readonly appearance: 'system' | 'light' | 'dark';
  readonly language: LanguageChoice;
  /** Uploads take one line each. */
  readonly compactRows: boolean;
  readonly policy: PolicyView | null;
}

/** An account as shown to the person. */
export interface NamedAccountView {
  readonly id: string;
  /** Its own name, or its service's, numbered if the service has several accounts. Never empty. */
  readonly name: string;
  readonly service: ServiceView;
}

export interface SignedOutView extends NamedAccountView {
  /** The sign-in ended without signing out. */
  readonly isLost: boolean;
}

interface SigningInView {
  readonly service: ServiceView;
  /** Name of its account; null for a new one. */
  readonly account: string | null;
  /** Names of other signed-in accounts of the service: the browser may use one of them. */
  readonly beside: readonly string[];
}

export type AccountView = {
  /** All remembered accounts without a sign-in; their services are offered. */
  readonly signedOut: readonly SignedOutView[];
} & (
  | { readonly kind: 'signed-out'; readonly error: ErrorRecord | null }
  | (SigningInView & { readonly kind: 'starting' | 'exchanging' })
  | (SigningInView & {
      readonly kind: 'waiting-for-browser';
      /** The browser opens a `tilelift:` link, not a page of this computer. */
      readonly returnsByScheme: boolean;
      readonly endsAt: number;
      /** Set if the browser could not be opened. */
      readonly error: ErrorRecord | null;
    })
  | {
      readonly kind: 'signed-in';
      readonly id: string;
      readonly service: ServiceView;
      /** A newer sign-in, started here, failed. */
      readonly error: ErrorRecord | null;
      /** All signed-in accounts, including the current one. */
      readonly accounts: readonly SignedInView[];
    }
);

/** The service and account of a sign-in. */
export interface SignInWish {
  readonly service: ChosenServiceView;
  /** Id of a remembered account of the service. Absent: its only one, or a new one. */
  readonly accountId?: string;
}

export interface SignedInView extends NamedAccountView {
  readonly signedInBy: 'browser' | 'access-token';
  /** Expiry of the sign-in, ms since the epoch; null if it is far off, unknown, or renewed automatically. */
  readonly endsSoonAt: number | null;
}

export interface BackgroundView extends BackgroundSwitches {
  readonly startAtLogin: boolean;
  /** False if this system lacks autostart, or Tilelift may not set it. */
  readonly canStartAtLogin: boolean;
  readonly keepRunning: boolean;
  readonly withoutWindow: WithoutWindow;
}

/** Settings that a person chooses. */
export type BackgroundChoices = Omit<BackgroundView, 'canStartAtLogin' | 'withoutWindow'>;

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

/** A request made on the desktop instead of the page. */
export type DesktopAskView =
  | { readonly kind: 'menu'; readonly command: MenuCommandView }
  /** Create an asset from these absolute paths. */
  | { readonly kind: 'source'; readonly paths: readonly string[] }
  | { readonly kind: 'job'; readonly id: string }
  | { readonly kind: 'jobs'; readonly ids: readonly string[] };

export interface JobsPage {
  readonly jobs: readonly JobView[];
  /** Start of the next page; null at the end. */
  readonly next: EndedPlace | null;
  readonly rest: EndedRest;
}

export interface JobView extends JobFacts {
  /** Number of further paths, if `paths` isn't complete. */
  readonly morePaths?: number;
}

export interface AssetView
  extends Pick<Asset, 'id' | 'type' | 'name' | 'bytes' | 'dateAdded' | 'status' | 'percentComplete'> {
  /** This computer uploaded it, or is going to. */
  readonly madeHere: boolean;
}

/** An asset's record on the service, cut to a readable length. */
export interface AssetDetailsView {
  readonly asset: AssetView;
  /** Markdown. */
  readonly description: string;
  readonly attribution: string;
  /** The service's error and current tiling step; null for none. */
  readonly error: string | null;
  readonly progressMessage: string | null;
  /** All fields by name, as sent by the service. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  /** Number of fields that aren't shown. */
  readonly moreFields: number;
}

export interface AssetUploadView {
  /** Its job's id; null if it left the list of uploads. */
  readonly jobId: string | null;
  /** The first absolute paths. Empty if unknown. */
  readonly paths: readonly string[];
  readonly morePaths: number;
  readonly isThere: boolean;
  readonly rule: string | null;
  /** Null if unknown. */
  readonly createdAt: number | null;
  readonly uploadedAt: number | null;
  readonly files: number | null;
  readonly bytes: number | null;
}

export interface AssetHereView {
  /** Newest first. */
  readonly uploads: readonly AssetUploadView[];
  readonly isTold: boolean;
}

export interface AlertsView {
  readonly mail: (MailSettings & { readonly hasPassword: boolean }) | null;
  readonly webhook: (WebhookSettings & { readonly hasKey: boolean }) | null;
  readonly heartbeat: AlertSettings['heartbeat'];
  readonly waiting: number;
  readonly last: Readonly<Record<AlertPlace, AlertOutcome | null>>;
}

export interface NetworkView {
  /** Path of a file with further trusted certificate authorities; null for none. */
  readonly caFile: string | null;
  readonly proxyAsks: ProxyQuestion | null;
  /** Base URLs of signed-in services whose storage may be used without encryption. */
  readonly plainStorage: readonly string[];
}

/** Settings and progress of updates. */
export interface UpdatesView extends UpdateSettings {
  readonly state: UpdateStateView;
}

export type UpdateStateView =
  | { readonly kind: 'off'; readonly by: NonNullable<SwitchedOffBy> }
  | Exclude<UpdatePhase, { readonly kind: 'by-hand' | 'ready' }>
  | (Extract<UpdatePhase, { readonly kind: 'by-hand' }> & { readonly hasPage: boolean })
  | (Extract<UpdatePhase, { readonly kind: 'ready' }> & { readonly canRestart: boolean });

export interface PolicyView {
  /** Path of the policy file. */
  readonly path: string;
  /** Offered at sign-in; their client ids are locked. */
  readonly services:
    | readonly { readonly name: string; readonly baseUrl: string; readonly clientId?: string }[]
    | null;
  /** No other services are allowed. */
  readonly onlyThose: boolean;
  readonly proxy:
    | { readonly mode: 'system' | 'direct' }
    | { readonly mode: 'fixed'; readonly server: string }
    | { readonly mode: 'pac'; readonly address: string }
    | null;
  readonly caFile: string | null;
  readonly plainStorage: boolean | null;
  /** Whether services in private networks may use http. */
  readonly plainServices: boolean | null;
  readonly updates: { readonly allowed: boolean; readonly channel: 'latest' | 'beta' | null } | null;
  /** Only folders below these may be watched. */
  readonly watchRoots: readonly string[] | null;
  /** Number of watch rules in the policy; null if it sets none. */
  readonly watchRules: number | null;
}

export interface AssetOfAccount {
  readonly id: number;
  /** The asset's account; null for the current one. */
  readonly accountId: string | null;
}
