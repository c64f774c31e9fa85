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

/** What the rooms of watching hand each other. Times are ms since the epoch, sizes are bytes. */

/** A source as it is in a watched folder now. */
export interface FoundSource {
  /**
   * Relative to the watched folder, `/`-separated, Unicode NFC: the ledger's name for it. `.` for the whole
   * folder, `./batch-7` for the seventh of what arrived together.
   */
  readonly path: string;
  /** What a job is to scan: absolute paths, in a stable order. */
  readonly paths: readonly string[];
  /** The folder to which the keys of its files are relative. */
  readonly keysFrom: string;
  /** Sorted by key. */
  readonly files: readonly SourceFile[];
  readonly bytes: number;
  /** Of its files' keys, sizes and modification times. */
  readonly fingerprint: string;
  /**
   * Likewise, but blind to what is derived from the data by looking at them
   * (`source/left-out/derived-files.ts`): what a job holds its scan against.
   */
  readonly dataFingerprint: string;
  /**
   * Likewise, and blind to the source's own name and to one shift of all modification times: what the ledger
   * knows it by (`source/identity.ts`).
   */
  readonly identity: string;
  /** The newest modification time of its files that are not derived, ms. */
  readonly newestMs: number;
  /**
   * Of names, sizes, times of modification and change, and bytes on the disk: differs as long as anything
   * writes, also into a file that had its full size from the beginning.
   */
  readonly digest: string;
}

/** What a ledger row says became of a source. */
export const ledgerStates = [
  /** Nothing was made of it yet, and the user is asked about it. */
  'seen',
  /** There when the rule was made; not wanted. */
  'skipped',
  /** Taken; its job is under way. */
  'taken',
  'complete',
  /** Failed for its own reason: waits until it changes. */
  'waits-for-change',
  /** Failed for another's reason: tried again at `retryAt`. */
  'waits-for-retry',
  /** Cancelled, expired or held: only a person takes it up again. */
  'waits-for-person',
] as const;
export type LedgerState = (typeof ledgerStates)[number];

/**
 * How a source stands now, besides what was made of it: why the user is asked about it; `upload`: the user
 * wants an asset of it as it is; `gone`: nothing is at its path any more.
 */
export interface Standing {
  readonly why: HoldReason | 'upload' | 'gone';
  /** ms since the epoch. */
  readonly since: number;
  /** One question is asked about it and all others of which this is so. */
  readonly together: boolean;
}

/** What the ledger knows of one source: the newest row of a rule and path. */
export interface LedgerEntry {
  readonly ruleId: string;
  readonly path: string;
  readonly identity: string;
  readonly fingerprint: string;
  readonly newestMs: number;
  /** The source's `digest` when this row learned what it looks like; null where that is not known. */
  readonly marks: string | null;
  /** What was uploaded of it (`verify/content.ts`); null where that has not been worked out yet. */
  readonly content: string | null;
  readonly state: LedgerState;
  /** Of the newest job; null when `skipped`. */
  readonly jobId: string | null;
  readonly assetId: number | null;
  readonly takenAt: number;
  /** When its newest job ended; null while one is under way. */
  readonly endedAt: number | null;
  readonly error: ErrorRecord | null;
  /** Failures in a row for another's reason: the delay grows with them. */
  readonly retries: number;
  readonly retryAt: number | null;
  /** Assets that were created after its first one, without a decision by a person. */
  readonly restarts: number;
  /**
   * When all bytes of its newest job were in storage; null before. From then on only a person, or a change,
   * creates another asset of it.
   */
  readonly uploadedAt: number | null;
  /** Null: it is as its state says. */
  readonly standing: Standing | null;
  /** Where it was moved to after its end; null while it lies where it was. */
  readonly movedTo: string | null;
  readonly files: number;
  readonly bytes: number;
}

/** What a finished source leaves behind. */
export interface Receipt {
  readonly ruleId: string;
  readonly ruleName: string;
  readonly source: string;
  /** Whose asset it is. */
  readonly accountId: string;
  /** API address of the account's service; absent where the account is gone. */
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
  /** Links in it that were not followed; absent for none. */
  readonly links?: number | undefined;
  /** What was found in its files before it was taken; absent for nothing. */
  readonly findings?: readonly NotedFinding[] | undefined;
  readonly files: readonly ReceiptFile[];
}

export interface ReceiptFile {
  readonly key: string;
  readonly size: number;
  /**
   * As storage confirmed it: the MD5 of the file; of several parts, the MD5 of their MD5s, `-` and their
   * count. Null where it was never whole there.
   */
  readonly etag: string | null;
  /** The checksum that storage has compared with its bytes; absent where that is not known. */
  readonly comparedBy?: 'crc32' | 'md5' | null | undefined;
  /** Size of its parts, by which such an ETag can be checked. */
  readonly partSize: number;
}

/** One time that a watch rule uploaded a source as this asset, by its receipt. */
export interface RuleUpload {
  readonly jobId: string;
  readonly ruleName: string;
  /** Relative to the watched folder. */
  readonly source: string;
  /** Where it was, or was moved to, absolute; null where the rule is gone. */
  readonly path: string | null;
  readonly takenAt: number;
  readonly uploadedAt: number | null;
  readonly endedAt: number;
  readonly outcome: string;
  readonly files: number;
  readonly bytes: number;
}

/** A job of a watch rule ended, and no more will be tried by itself for now. */
export interface WatchEnd {
  readonly ruleId: string;
  readonly ruleName: string;
  readonly source: string;
  readonly outcome: 'complete' | 'failed';
  /** Null where a person took it off the list. */
  readonly jobId: string | null;
  readonly endedAt: number;
  readonly error: ErrorRecord | null;
}

/**
 * What people are told of one: that it has lasted, and that it is over. Times in ms since the epoch, `ms`:
 * how long it was; `sources`: of all rules, those that continue.
 */
export type Outage =
  | { readonly kind: 'begun'; readonly since: number }
  | { readonly kind: 'over'; readonly since: number; readonly ms: number; readonly sources: number };

/** Who is told what a dry run finds in files, until the signal aborts. */
export interface DryRunFollower {
  readonly signal: AbortSignal;
  readonly tell: (looked: DryRunLooked) => void;
}

export interface WatchService {
  /**
   * Takes up every rule that is on. Jobs of sources that another computer took meanwhile are cancelled first.
   */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** In the order in which they were made. */
  rules(): readonly RuleSnapshot[];
  /**
   * Whether a folder may be watched, before anything is asked or kept.
   *
   * @throws TileliftError why the administrator of this computer does not allow it
   */
  checkAllowed(folder: string): Promise<void>;
  /**
   * Keeps a new rule (its id unknown so far) or a changed one. `takeExisting`: also what is there already, of
   * a changed rule what it did not take before.
   * @throws TileliftError `rule-…`, `source-missing`; nothing is kept then
   */
  save(rule: WatchRule, takeExisting: boolean): Promise<void>;
  /** Its ledger and receipts stay. */
  remove(ruleId: string): void;
  setOn(ruleId: string, on: boolean): void;
  /** @throws what `save` throws */
  /**
   * What the rule would make of its folder now. `follow`: is told afterwards what is found in the files of
   * all that it would take.
   */
  dryRun(rule: WatchRule, follow?: DryRunFollower): Promise<DryRun>;
  /** What waits and what was taken, newest first; at most 500. */
  sources(ruleId: string): readonly SourceSnapshot[];
  act(ruleId: string, path: string, action: SourceAction): Promise<void>;
  /** To the rule's question. Nothing happens where nothing is asked any more. */
  answer(ruleId: string, answer: HeldAnswer): Promise<void>;
  /** Newest first; at most 500. */
  activity(ruleId: string): readonly HistoryEntry[];
  /** Which sources became this asset of an account, newest first. */
  uploadsOf(accountId: string, assetId: number): readonly RuleUpload[];
  /** Ids of the assets that sources became, of this account as far as that can be told. */
  madeAssets(accountId: string): readonly number[];
  /** Of one rule or of all (null), newest first. */
  receipts(ruleId: string | null): Iterable<Receipt>;
  isNetworkDrive(folder: string): Promise<boolean>;
  /** Scans all folders again: after sleep, when a drive came back. */
  lookAgain(reason: string): void;
  /** Writes a line into a rule's activity log. */
  writeActivity(ruleId: string, ...said: readonly Said[]): void;
  /** Called with a rule's id as often as it changes. Returns an unsubscribe function. */
  onChange(listener: (ruleId: string) => void): () => void;
  onEnd(listener: (end: WatchEnd) => void): () => void;
  /** Why a job of a watched folder that has no asset yet must not begin; null where it may. */
  whyHeld(jobId: string): ErrorRecord | null;
  /** Called when nothing has got through for long, and when something does again. */
  onOutage(listener: (outage: Outage) => void): () => void;
}
