import type {
  AccountView,
  AlertsView,
  AppInfo,
  AssetView,
  BackgroundView,
  BandwidthView,
  DesktopAskView,
  ErrorView,
  JobView,
  NetworkView,
  ProgramsView,
  Result,
  SourceView,
  UpdatesView,
} from '../preload/contract.ts';
import type { RulesFileScene } from './bridge/fake-rules-file.ts';
import type { WatchScene } from './samples/sample-watch.ts';

/** What the played bridge knows and answers. */
export interface Scenario {
  readonly info: AppInfo;
  /** What the page's first question is refused with. */
  readonly infoError: ErrorView | null;
  readonly account: AccountView;
  readonly network: NetworkView;
  readonly online: boolean;
  readonly jobs: readonly JobView[];
  /** What a job’s history is refused with. */
  readonly historyError: ErrorView | null;
  readonly assets: Result<readonly AssetView[]>;
  readonly source: Result<SourceView>;
  readonly bandwidth: BandwidthView;
  readonly alerts: AlertsView;
  readonly programs: ProgramsView;
  readonly background: BackgroundView;
  readonly updates: UpdatesView;
  readonly watch: WatchScene;
  readonly rulesFile: RulesFileScene;
  /** What the desktop asks of the page at its start: a screen, a sheet, a job's details. */
  readonly asks: readonly DesktopAskView[];
  /** Questions that are never answered. */
  readonly silent: readonly ('assets.list' | 'source.inspect' | 'watch.dryRun' | 'account.useAccessToken')[];
  /** What an action on a job, an asset or a logbook is refused with. */
  readonly actError: ErrorView | null;
  readonly createError: ErrorView | null;
  /** What a sign-in is refused with until the person has confirmed its two addresses. */
  readonly pairError: ErrorView | null;
  readonly pasteError: ErrorView | null;
  readonly tokenError: ErrorView | null;
  /** Jobs under way move on, ten times a second, and time runs. */
  readonly moving: boolean;
}

/** What is done by hand before the state is there. Accessible names of buttons are whole, or their beginning when they end in an ellipsis. */
export type Step =
  | { readonly press: 'button' | 'menuitem' | 'radio' | 'switch' | 'combobox'; readonly named: string }
  | { readonly type: string; readonly into: string }
  /** A folder is dragged over the window. */
  | { readonly drag: 'over' }
  | { readonly scrollTo: string }
  | { readonly scroll: 'to the end' };

/** One state of a screen. */
export interface Shown {
  /** Made when it is asked for: some hold thousands of things. */
  readonly scenario: () => Scenario;
  readonly steps?: readonly Step[];
}

export type States = Readonly<Record<string, Shown>>;
