import type {
  AccountView,
  AlertsView,
  AppInfo,
  AssetView,
  BackgroundView,
  Bandwidth,
  DesktopAskView,
  ErrorRecord,
  ImportedPresetsView,
  JobView,
  NetworkView,
  Preset,
  Programs,
  Result,
  SourceView,
  SourceWalkedView,
  UpdatesView,
} from '../preload/contract.ts';
import type { Said } from '../strings/phrase.ts';
import type { RulesFileScene } from './bridge/fake-rules-file.ts';
import type { WatchScene } from './samples/sample-watch.ts';

/** Data and answers of the fake bridge. */
export interface Scenario {
  readonly info: AppInfo;
  readonly notices: readonly ErrorRecord[];
  /** Error of the page's first call. */
  readonly infoError: ErrorRecord | null;
  readonly account: AccountView;
  readonly network: NetworkView;
  readonly online: boolean;
  readonly jobs: readonly JobView[];
  /** Jobs that end once the page has loaded them, in their ended form. */
  readonly ends: readonly JobView[];
  /** Error of a job’s history. */
  readonly historyError: ErrorRecord | null;
  readonly assets: Result<readonly AssetView[]>;
  /** Error of an asset’s record. */
  readonly detailsError: ErrorRecord | null;
  readonly source: Result<SourceView>;
  readonly presets: readonly Preset[];
  /** Result of importing a file of presets. */
  readonly importedPresets: ImportedPresetsView | null;
  readonly bandwidth: Bandwidth;
  readonly alerts: AlertsView;
  readonly programs: Programs;
  readonly background: BackgroundView;
  readonly updates: UpdatesView;
  readonly watch: WatchScene;
  readonly rulesFile: RulesFileScene;
  /** Desktop requests at the start: a screen, a sheet, a job's details. */
  readonly asks: readonly DesktopAskView[];
  /** Calls without an answer. */
  readonly silent: readonly (
    | 'assets.list'
    | 'assets.details'
    | 'source.inspect'
    | 'watch.dryRun'
    | 'account.useAccessToken'
  )[];
  /** Facts about a source with an endless scan; null: inspected at once. */
  readonly walked: Omit<SourceWalkedView, 'round'> | null;
  /** Error of an action on a job, an asset or a logbook. */
  readonly actError: ErrorRecord | null;
  readonly createError: ErrorRecord | null;
  /** Error of a decision about files. */
  readonly checkError: ErrorRecord | null;
  /** Error of a sign-in until the person confirms its two addresses. */
  readonly pairError: ErrorRecord | null;
  readonly pasteError: ErrorRecord | null;
  readonly tokenError: ErrorRecord | null;
  /** Active jobs advance ten times per second, and time passes. */
  readonly moving: boolean;
}

/** Manual steps to reach the state. A phrase is in the page's language, a string is data. */
export type Step =
  | {
      readonly press: 'button' | 'menuitem' | 'radio' | 'switch' | 'combobox' | 'option' | 'checkbox';
      /** The accessible name. */
      readonly named: Said;
      /** The name may continue, with a value or a detail. */
      readonly begins?: true;
    }
  | { readonly type: string; readonly into: Said }
  /** The context menu of the row that starts with this name. */
  | { readonly menuOf: string }
  /** A folder is dragged over the window. */
  | { readonly drag: 'over' }
  | { readonly scrollTo: Said }
  | { readonly scroll: 'to the end' };

/** One state of a screen. */
export interface Shown {
  /** Created on demand: some contain thousands of objects. */
  readonly scenario: () => Scenario;
  readonly steps?: readonly Step[];
}

export type States = Readonly<Record<string, Shown>>;
