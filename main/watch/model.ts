import type { HistoryEntry } from '../../shared/job.ts';
import type {
  DryRun,
  DryRunLooked,
  HeldAnswer,
  HoldReason,
  RuleSnapshot,
  SourceAction,
  SourceSnapshot,
} from '../../shared/watch.ts';
import type { Said } from '../../strings/phrase.ts';
import type { ErrorRecord } from '../errors.ts';
import type { SourceFile } from '../files/model.ts';
import type { NotedFinding } from './findings/noted-findings.ts';
import type { WatchRule } from './rule.ts';

export type { DryRun, RuleSnapshot, SourceAction, SourceSnapshot } from '../../shared/watch.ts';

/** Shared types of the watch modules. Times are ms since the epoch, sizes are bytes. */

/** A source in a watched folder as it is now. */
export interface FoundSource {
  /**
   * Relative to the watched folder, `/`-separated, Unicode NFC; the ledger's key. `.` for the whole folder,
   * `./batch-7` for the seventh batch.
   */
  readonly path: string;
  /** Absolute paths for the job to scan, in a stable order. */
  readonly paths: readonly string[];
  /** The folder to which the file keys are relative. */
  readonly keysFrom: string;
  /** Sorted by key. */
  readonly files: readonly SourceFile[];
  readonly bytes: number;
  /** Hash of its files' keys, sizes and modification times. */
  readonly fingerprint: string;
  /**
   * The same without files that viewers derive (`source/left-out/derived-files.ts`). A job compares its scan
   * with it.
   */
  readonly dataFingerprint: string;
  /**
   * The same as `dataFingerprint`, independent of the source's own name and of one shift of all modification
   * times. The ledger recognises the source by it (`source/identity.ts`).
   */
  readonly identity: string;
  /** The newest modification time of its files that aren't derived, ms. */
  readonly newestMs: number;
  /**
   * Hash of names, sizes, modification and change times, and disk usage. Differs while a program writes, even
   * into a preallocated file.
   */
  readonly digest: string;
}

/** The outcome of a source in its ledger row. */
export const ledgerStates = [
  /** No asset yet; the user is asked about it. */
  'seen',
  /** Present when the rule was created, or unwanted. */
  'skipped',
  /** Its job is under way. */
  'taken',
  'complete',
  /** Failed because of the source: waits until it changes. */
  'waits-for-change',
  /** Failed for an external reason: retried at `retryAt`. */
  'waits-for-retry',
  /** Cancelled, expired or held: only the user can resume it. */
  'waits-for-person',
] as const;
export type LedgerState = (typeof ledgerStates)[number];

/**
 * The current standing of a source: the question about it for the user; `upload`: the user wants an asset of
 * it as it is; `gone`: its path no longer exists.
 */
export interface Standing {
  readonly why: HoldReason | 'upload' | 'gone';
  readonly since: number;
  /** It shares one question with all others that have this set. */
  readonly together: boolean;
}

/** The ledger's knowledge of one source: the newest row of a rule and path. */
export interface LedgerEntry {
  readonly ruleId: string;
  readonly path: string;
  readonly identity: string;
  readonly fingerprint: string;
  readonly newestMs: number;
  /** The source's `digest` when this row was last updated; null if unknown. */
  readonly marks: string | null;
  /** Of the upload (`verify/content.ts`); null until computed. */
  readonly content: string | null;
  readonly state: LedgerState;
  /** The newest job; null when `skipped`. */
  readonly jobId: string | null;
  readonly assetId: number | null;
  readonly takenAt: number;
  /** When its newest job ended; null while it is under way. */
  readonly endedAt: number | null;
  readonly error: ErrorRecord | null;
  /** External failures in a row, which increase the delay. */
  readonly retries: number;
  readonly retryAt: number | null;
  /** Assets created after its first one without a user decision. */
  readonly restarts: number;
  /**
   * When all bytes of its newest job were in storage, or null. Afterwards only the user, or a change, creates
   * another asset of it.
   */
  readonly uploadedAt: number | null;
  /** Null: its state says it all. */
  readonly standing: Standing | null;
  /** Its new location if it was moved after its end, or null. */
  readonly movedTo: string | null;
  readonly files: number;
  readonly bytes: number;
}

/** The permanent record of a finished source. */
export interface Receipt {
  readonly ruleId: string;
  readonly ruleName: string;
  readonly source: string;
  /** The account of the asset. */
  readonly accountId: string;
  /** API address of the account's service; absent if the account is gone. */
  readonly service?: string | undefined;
  readonly assetId: number | null;
  readonly assetName: string;
  readonly assetType: string;
  readonly takenAt: number;
  readonly uploadedAt: number | null;
  readonly endedAt: number;
  /** The job's last state: `complete`, `data-error`, `failed`, … */
  readonly outcome: string;
  readonly error: ErrorRecord | null;
  /** Number of links in it that weren't followed; absent for none. */
  readonly links?: number | undefined;
  /** The findings before its upload; absent for none. */
  readonly findings?: readonly NotedFinding[] | undefined;
  readonly files: readonly ReceiptFile[];
}

export interface ReceiptFile {
  readonly key: string;
  readonly size: number;
  /**
   * As confirmed by storage: the MD5 of the file; for several parts, the MD5 of their MD5s, `-` and their
   * count. Null if it was never complete there.
   */
  readonly etag: string | null;
  /** The checksum by which storage verified its bytes; absent if unknown. */
  readonly comparedBy?: 'crc32' | 'md5' | null | undefined;
  /** Size of its parts, needed to recompute such an ETag. */
  readonly partSize: number;
}

/** An upload of a source as this asset, from its receipt. */
export interface RuleUpload {
  readonly jobId: string;
  readonly ruleName: string;
  /** Relative to the watched folder. */
  readonly source: string;
  /** Its location, also after a move, absolute; null if the rule is gone. */
  readonly path: string | null;
  readonly takenAt: number;
  readonly uploadedAt: number | null;
  readonly endedAt: number;
  readonly outcome: string;
  readonly files: number;
  readonly bytes: number;
}

/** The end of a watch rule's job, without a pending automatic retry. */
export interface WatchEnd {
  readonly ruleId: string;
  readonly ruleName: string;
  readonly source: string;
  readonly outcome: 'complete' | 'failed';
  /** Null if the user removed it from the list. */
  readonly jobId: string | null;
  readonly endedAt: number;
  readonly error: ErrorRecord | null;
}

/**
 * A long outage, or its end. Times are ms since the epoch; `ms` is its duration; `sources` counts the
 * continuing sources of all rules.
 */
export type Outage =
  | { readonly kind: 'begun'; readonly since: number }
  | { readonly kind: 'over'; readonly since: number; readonly ms: number; readonly sources: number };

/** Receives a dry run's findings in files until the signal aborts. */
export interface DryRunFollower {
  readonly signal: AbortSignal;
  readonly tell: (looked: DryRunLooked) => void;
}

export interface WatchService {
  /** Starts every rule that is on. First cancels jobs of sources that another computer has taken over. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** In creation order. */
  rules(): readonly RuleSnapshot[];
  /**
   * Checks whether a folder may be watched, before anything is requested or stored.
   *
   * @throws TileliftError why the administrator of this computer doesn't allow it
   */
  checkAllowed(folder: string): Promise<void>;
  /**
   * Stores a new rule (with an unknown id) or a changed one. `takeExisting`: also upload present sources; of
   * a changed rule, those that it didn't pick up before.
   * @throws TileliftError `rule-…`, `source-missing`; nothing is stored then
   */
  save(rule: WatchRule, takeExisting: boolean): Promise<void>;
  /** Keeps its ledger rows and receipts. */
  remove(ruleId: string): void;
  setOn(ruleId: string, on: boolean): void;
  /**
   * Returns the effects of the rule on its folder now. `follow`: receives the later findings in the files of
   * all sources that would be uploaded.
   * @throws the errors of `save`
   */
  dryRun(rule: WatchRule, follow?: DryRunFollower): Promise<DryRun>;
  /** Waiting and uploaded sources, newest first; at most 500. */
  sources(ruleId: string): readonly SourceSnapshot[];
  act(ruleId: string, path: string, action: SourceAction): Promise<void>;
  /** Answers the rule's question; does nothing if there is none. */
  answer(ruleId: string, answer: HeldAnswer): Promise<void>;
  /** Newest first; at most 500. */
  activity(ruleId: string): readonly HistoryEntry[];
  /** The sources that became this asset of an account, newest first. */
  uploadsOf(accountId: string, assetId: number): readonly RuleUpload[];
  /** IDs of the assets that rules created for this account, as far as it is known. */
  madeAssets(accountId: string): readonly number[];
  /** Of one rule or of all (null), newest first. */
  receipts(ruleId: string | null): Iterable<Receipt>;
  isNetworkDrive(folder: string): Promise<boolean>;
  /** Scans all folders again, for example after sleep or when a drive is back. */
  lookAgain(reason: string): void;
  writeActivity(ruleId: string, ...said: readonly Said[]): void;
  /** Called with a rule's id at each of its changes. Returns an unsubscribe function. */
  onChange(listener: (ruleId: string) => void): () => void;
  onEnd(listener: (end: WatchEnd) => void): () => void;
  /** Returns why a watched folder's job without an asset must not begin, or null. */
  whyHeld(jobId: string): ErrorRecord | null;
  /** Called when nothing has got through for long, and when the connection is back. */
  onOutage(listener: (outage: Outage) => void): () => void;
}
