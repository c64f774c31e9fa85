import type { HistoryEntry } from '../../../shared/job.ts';
import type {
  DryRun,
  DryRunLooked,
  HeldAnswer,
  RuleSnapshot,
  SourceAction,
  SourceSnapshot,
} from '../../../shared/watch.ts';
import type { Said } from '../../../strings/phrase.ts';
import type { ErrorRecord } from '../../errors.ts';
import type { SourceFile } from '../../files/model.ts';
import type { Receipt } from './records.ts';
import type { WatchRule } from './rule.ts';

export type { DryRun, RuleSnapshot, SourceAction, SourceSnapshot } from '../../../shared/watch.ts';
export type { LedgerEntry, LedgerState, Receipt, ReceiptFile, Standing } from './records.ts';

/** Shared types of the watch modules. Times are ms since the epoch, sizes are bytes. */

/** A source in a watched folder as it is now. */
export interface FoundSource {
  /**
   * Relative to the watched folder, `/`-separated, in the disk's spelling (`sourcePath`). `.` for the whole
   * folder, `./batch-7` for the seventh batch.
   */
  readonly path: string;
  /** Absolute paths for the job to scan. */
  readonly paths: readonly string[];
  readonly keysFrom: string;
  /** Sorted by key. */
  readonly files: readonly SourceFile[];
  readonly bytes: number;
  /** Links in its folders, which aren't followed; absent for none. */
  readonly links?: number;
  /**
   * Hash of keys, sizes and modification times, without files that viewers derive
   * (`files/left-out/derived-files.ts`). A job compares its scan with it.
   */
  readonly dataFingerprint: string;
  /**
   * Like `dataFingerprint`, independent of the source's own name and of one shift of all times
   * (`scan/found-source.ts`).
   */
  readonly identity: string;
  /** The newest modification time without derived files, ms. */
  readonly newestMs: number;
  /**
   * Hash of names, sizes, modification and change times, and disk usage. Changes while a program writes, even
   * into a preallocated file.
   */
  readonly digest: string;
  /** Like `digest`, without changes of permissions and owners. */
  readonly dataDigest: string;
  /** Bytes on disk of each file; NaN if unknown. */
  readonly allocated: readonly number[];
  /** Referenced relative paths that don't exist (yet). */
  readonly missing: readonly string[];
}

/** An upload of a source, from its receipt. */
export interface RuleUpload {
  readonly jobId: string;
  readonly ruleName: string;
  /** Relative to the watched folder. */
  readonly source: string;
  /** Absolute, also after a move; null if the rule is gone. */
  readonly path: string | null;
  readonly takenAt: number;
  readonly uploadedAt: number | null;
  readonly endedAt: number;
  readonly outcome: string;
  readonly files: number;
  readonly bytes: number;
}

/** The end of a job, after which nothing is tried automatically. */
export interface WatchEnd {
  readonly ruleId: string;
  readonly ruleName: string;
  readonly source: string;
  readonly outcome: 'complete' | 'failed';
  /** Null if the user removed it. */
  readonly jobId: string | null;
  readonly endedAt: number;
  readonly error: ErrorRecord | null;
}

/**
 * An outage that has lasted, or its end. Times are ms since the epoch; `ms`: its duration; `sources`: those
 * that continue, of all rules.
 */
export type Outage =
  | { readonly kind: 'begun'; readonly startedAt: number }
  | { readonly kind: 'over'; readonly startedAt: number; readonly ms: number; readonly sources: number };

/** Receives a dry run's findings until the signal aborts. */
export interface DryRunFollower {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: DryRunLooked) => void;
}

export interface WatchService {
  /** Starts all rules that are on. First cancels jobs of sources that another computer has taken over. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** In creation order. */
  rules(): readonly RuleSnapshot[];
  /** @throws TileliftError why the administrator doesn't allow to watch the folder */
  checkAllowed(folder: string): Promise<void>;
  /**
   * Stores a new or changed rule. `takeExisting`: also upload present sources that it didn't pick up before.
   *
   * @throws TileliftError `rule-…`, `source-missing`; nothing is stored then
   */
  save(rule: WatchRule, takeExisting: boolean): Promise<void>;
  remove(ruleId: string): void;
  setOn(ruleId: string, isOn: boolean): void;
  /**
   * Returns the effects of the rule on its folder now. `follow`: receives later findings.
   *
   * @throws the errors of `save`
   */
  dryRun(rule: WatchRule, follow?: DryRunFollower): Promise<DryRun>;
  /** Newest first; at most 500. */
  sources(ruleId: string): readonly SourceSnapshot[];
  act(ruleId: string, path: string, action: SourceAction): Promise<void>;
  /** Does nothing without a question. */
  answer(ruleId: string, answer: HeldAnswer): Promise<void>;
  /** Newest first; at most 500. */
  activity(ruleId: string): readonly HistoryEntry[];
  /** Newest first. */
  uploadsOf(accountId: string, assetId: number): readonly RuleUpload[];
  /** Excludes assets of unknown accounts. */
  madeAssets(accountId: string): readonly number[];
  /** Null: all rules. Newest first. */
  receipts(ruleId: string | null): Iterable<Receipt>;
  /** Scans all folders again, for example after sleep. */
  rescanAll(reason: string): void;
  writeActivity(ruleId: string, ...phrases: readonly Said[]): void;
  /** Called with a rule's id at each change. Returns an unsubscribe function. */
  onChange(listener: (ruleId: string) => void): () => void;
  onEnd(listener: (end: WatchEnd) => void): () => void;
  /** Why a job without an asset must not begin, or null. */
  whyHeld(jobId: string): ErrorRecord | null;
  /** Called when nothing has got through for long, and when something does again. */
  onOutage(listener: (outage: Outage) => void): () => void;
}
