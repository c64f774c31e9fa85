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

/** What the played bridge knows and answers. */
export interface Scenario {
  readonly info: AppInfo;
  readonly notices: readonly ErrorRecord[];
  /** What the page's first question is refused with. */
  readonly infoError: ErrorRecord | null;
  readonly account: AccountView;
  readonly network: NetworkView;
  readonly online: boolean;
  readonly jobs: readonly JobView[];
  /** Those among them that end as soon as the page has them, as they are then. */
  readonly ends: readonly JobView[];
  /** What a job’s history is refused with. */
  readonly historyError: ErrorRecord | null;
  readonly assets: Result<readonly AssetView[]>;
  /** What an asset’s record is refused with. */
  readonly detailsError: ErrorRecord | null;
  readonly source: Result<SourceView>;
  readonly presets: readonly Preset[];
  /** What importing a file of presets gives. */
  readonly importedPresets: ImportedPresetsView | null;
  readonly bandwidth: Bandwidth;
  readonly alerts: AlertsView;
  readonly programs: Programs;
  readonly background: BackgroundView;
  readonly updates: UpdatesView;
  readonly watch: WatchScene;
  readonly rulesFile: RulesFileScene;
  /** What the desktop asks of the page at its start: a screen, a sheet, a job's details. */
  readonly asks: readonly DesktopAskView[];
  /** Questions that are never answered. */
  readonly silent: readonly (
    | 'assets.list'
    | 'assets.details'
    | 'source.inspect'
    | 'watch.dryRun'
    | 'account.useAccessToken'
  )[];
  /** What is known of a source that is walked through for ever; null where it is looked at at once. */
  readonly walked: Omit<SourceWalkedView, 'round'> | null;
  /** What an action on a job, an asset or a logbook is refused with. */
  readonly actError: ErrorRecord | null;
  readonly createError: ErrorRecord | null;
  /** What a decision about the files of a source is refused with. */
  readonly checkError: ErrorRecord | null;
  /** What a sign-in is refused with until the person has confirmed its two addresses. */
  readonly pairError: ErrorRecord | null;
  readonly pasteError: ErrorRecord | null;
  readonly tokenError: ErrorRecord | null;
  /** Jobs under way move on, ten times a second, and time runs. */
  readonly moving: boolean;
}

/** What is done by hand before the state appears. A phrase is in the page's language, a string is data. */
export type Step =
  | {
      readonly press: 'button' | 'menuitem' | 'radio' | 'switch' | 'combobox' | 'option' | 'checkbox';
      /** The accessible name. */
      readonly named: Said;
      /** It may continue: with what is chosen, or with a detail. */
      readonly begins?: true;
    }
  | { readonly type: string; readonly into: Said }
  /** The context menu of the row that begins with this name. */
  | { readonly menuOf: string }
  /** A folder is dragged over the window. */
  | { readonly drag: 'over' }
  | { readonly scrollTo: Said }
  | { readonly scroll: 'to the end' };

/** One state of a screen. */
export interface Shown {
  /** Made when it is asked for: some hold thousands of things. */
  readonly scenario: () => Scenario;
  readonly steps?: readonly Step[];
}

export type States = Readonly<Record<string, Shown>>;
