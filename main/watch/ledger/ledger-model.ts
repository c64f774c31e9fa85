import type { ActivityLine } from '../activity.ts';
import type { BatchRows } from '../batches/batch-rows.ts';
import type { NotedRows } from '../findings/noted-rows.ts';
import type { FoundSource, LedgerEntry, Receipt, Standing } from '../model.ts';
import type { MoveJournal } from '../moves/move-journal.ts';
import type { RestoredRows } from '../restored/restored-rows.ts';
import type { SideTables } from './side-tables.ts';

/** What a ledger row may change to. */
export type LedgerChange = Partial<
  Pick<
    LedgerEntry,
    | 'path'
    | 'identity'
    | 'fingerprint'
    | 'newestMs'
    | 'marks'
    | 'content'
    | 'state'
    | 'assetId'
    | 'endedAt'
    | 'error'
    | 'retries'
    | 'retryAt'
    | 'restarts'
    | 'standing'
    | 'movedTo'
  >
>;

/** An asset of a receipt, and whose it is; null where the receipt is damaged. */
export interface ReceivedAsset {
  readonly assetId: number;
  readonly accountId: string | null;
}

/**
 * What each watch rule has taken: one row for a rule and path, the newest. It lives in the journal's
 * database; every call is on the disk when it returns and throws `journal-full` or `journal-unusable` when it
 * can't be.
 */
export interface Ledger extends MoveJournal, SideTables, RestoredRows, BatchRows, NotedRows {
  find(ruleId: string, path: string): LedgerEntry | undefined;
  /** Rows of sources with this content, whatever their path. */
  withIdentity(ruleId: string, identity: string): readonly LedgerEntry[];
  /** Rows whose path is this one but for the case of its Latin letters. */
  likePath(ruleId: string, path: string): readonly LedgerEntry[];
  /** The row whose newest job this is. */
  ofJob(jobId: string): LedgerEntry | undefined;
  /**
   * Puts the source down as taken by this job, in the place of what was known of its path. To be called
   * inside the journal's transaction that adds the job. `retries` and `restarts` are carried over from the
   * row before when `again`, else 0; an asset that nobody wanted anew counts as a restart.
   *
   * @param isThere whether something is at this path of the watched folder. Default: nothing does, the
   *   stricter answer.
   * @throws TileliftError `watch-already-taken` where the same content has an asset already, or is becoming
   *   one (`second-asset.ts`)
   */
  take(
    ruleId: string,
    source: FoundSource,
    jobId: string,
    at: number,
    again: boolean,
    isThere?: (path: string) => boolean,
  ): void;
  /** Puts sources down as not wanted, in one transaction; rows that exist stay as they are. */
  skip(ruleId: string, sources: readonly FoundSource[], at: number): void;
  /**
   * Takes these sources for what its rows of their paths are about, as they are there now, in one
   * transaction: rows whose job has ended, or those of jobs under way.
   */
  learn(ruleId: string, sources: readonly FoundSource[], which?: 'ended' | 'under-way'): void;
  /** Keeps how these sources stand, in one transaction. A row that exists stays as it is otherwise. */
  stand(ruleId: string, sources: readonly FoundSource[], standing: Standing): void;
  /** The sources at these paths are as their states say again; rows without a state go. */
  endStandings(ruleId: string, paths: readonly string[]): void;
  /** Each is asked about by itself from now on. */
  askSingly(ruleId: string): void;
  change(ruleId: string, path: string, change: LedgerChange): void;
  /** Newest first. */
  list(ruleId: string, limit: number): readonly LedgerEntry[];
  /** Rows whose job is under way, of all rules. */
  taken(): readonly LedgerEntry[];
  /** Rows of this rule that wait for a retry, soonest first; of one time in the order of arrival. */
  waitingForRetry(ruleId: string): readonly LedgerEntry[];
  /** Rows of this rule that failed and wait for a change or the user. */
  failed(ruleId: string): readonly LedgerEntry[];
  /** How many rows of the rule have which state; those that are gone don't count. */
  counts(ruleId: string): Readonly<Record<LedgerEntry['state'], number>>;
  /** How many sources the rule has taken so far, for `{counter}`; goes only up. */
  takenSoFar(ruleId: string): number;
  lastTakenAt(ruleId: string): number | null;
  addActivity(ruleId: string, line: ActivityLine): void;
  /** Newest first. */
  activity(ruleId: string, limit: number): readonly ActivityLine[];
  /** One for a job, in the place of what it left before. */
  addReceipt(receipt: Receipt, jobId: string): void;
  /** What this job left. */
  receiptOf(jobId: string): Receipt | undefined;
  /** Of the sources that became this asset of some service, newest first; at most 20. */
  receiptsOf(assetId: number): readonly (Receipt & { readonly jobId: string })[];
  /** The assets of all receipts, with their accounts. */
  receivedAssets(): readonly ReceivedAsset[];
  /** Of one rule or of all (null), newest first, read bit by bit. */
  receipts(ruleId: string | null): Iterable<Receipt>;
}
