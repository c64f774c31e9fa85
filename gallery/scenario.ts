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
  readonly infoError: ErrorRecord | null;
  readonly account: AccountView;
  readonly network: NetworkView;
  readonly isOnline: boolean;
  readonly jobs: readonly JobView[];
  /** Jobs that end once the page has loaded them, in their ended form. Later batches begin here, too. */
  readonly endedJobs: readonly JobView[];
  readonly historyError: ErrorRecord | null;
  readonly assets: Result<readonly AssetView[]>;
  readonly detailsError: ErrorRecord | null;
  readonly source: Result<SourceView>;
  readonly presets: readonly Preset[];
  readonly importedPresets: ImportedPresetsView | null;
  readonly bandwidth: Bandwidth;
  readonly alerts: AlertsView;
  readonly programs: Programs;
  readonly background: BackgroundView;
  readonly updates: UpdatesView;
  readonly watch: WatchScene;
  readonly rulesFile: RulesFileScene;
  /** Desktop requests at the start: a screen, a sheet, a job's details. */
  readonly pageAsks: readonly DesktopAskView[];
  /** Calls without an answer. */
  readonly silentCalls: readonly (
    | 'assets.list'
    | 'assets.details'
    | 'source.inspect'
    | 'watch.dryRun'
    | 'account.useAccessToken'
  )[];
  /** Facts about a source with an endless scan; null: inspected at once. */
  readonly walkedView: Omit<SourceWalkedView, 'round'> | null;
  readonly actError: ErrorRecord | null;
  /** Entries of the dropped folder. */
  readonly folders?: readonly string[];
  readonly createError: ErrorRecord | null;
  readonly checkError: ErrorRecord | null;
  /** Error of a sign-in until the person confirms its two addresses. */
  readonly pairError: ErrorRecord | null;
  readonly pasteError: ErrorRecord | null;
  readonly tokenError: ErrorRecord | null;
  /** Active jobs advance ten times per second, and time passes. */
  readonly moving: boolean;
}

export interface PressStep {
  readonly press: 'button' | 'menuitem' | 'radio' | 'switch' | 'combobox' | 'option' | 'checkbox';
  readonly named: Said;
  /** The name may continue, with a value or a detail. */
  readonly begins?: true;
}

/** Manual steps to reach the state. A phrase is in the page's language, a string is data. */
export type Step =
  | PressStep
  | { readonly type: string; readonly into: Said }
  | { readonly menuOf: string }
  | { readonly unfold: Said }
  | { readonly drag: 'over' }
  | { readonly scrollTo: Said }
  | { readonly scroll: 'to the end' };

export interface ShownScenario {
  /** Created on demand: some contain thousands of objects. */
  readonly scenario: () => Scenario;
  readonly steps?: readonly Step[];
}

export type States = Readonly<Record<string, ShownScenario>>;
