import type { ActivityLine } from '../activity.ts';
import type { BatchRows } from '../batches/batch-rows.ts';
import type { NotedRows } from '../findings/noted-rows.ts';
import type { FoundSource, LedgerEntry, Receipt, Standing } from '../model.ts';
import type { MoveJournal } from '../moves/move-journal.ts';
import type { RestoredRows } from '../restored/restored-rows.ts';
import type { SideTables } from './side-tables.ts';

/** The columns of a ledger row that may change. */
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

/** The asset of a receipt and its account; null if the receipt is damaged. */
export interface ReceivedAsset {
  readonly assetId: number;
  readonly accountId: string | null;
}

/**
 * The uploads of each watch rule: the newest row for each rule and path, in the journal's database. Every
 * call is durable when it returns, and throws `journal-full` or `journal-unusable`.
 */
export interface Ledger extends MoveJournal, SideTables, RestoredRows, BatchRows, NotedRows {
  find(ruleId: string, path: string): LedgerEntry | undefined;
  /** Rows with this identity at any path. */
  withIdentity(ruleId: string, identity: string): readonly LedgerEntry[];
  /** Rows whose path differs at most by the case of Latin letters. */
  likePath(ruleId: string, path: string): readonly LedgerEntry[];
  /** The row whose newest job this is. */
  ofJob(jobId: string): LedgerEntry | undefined;
  /**
   * Records that this job uploads the source, replacing its previous row. Call it inside the journal's
   * transaction that adds the job. With `again`, `retries` and `restarts` carry over, else they are 0; an
   * asset that the user didn't request counts as a restart.
   *
   * @param isThere whether a path of the watched folder exists. Default: none does, the stricter answer.
   * @throws TileliftError `watch-already-taken` if the same content has an asset or a job already
   * (`second-asset.ts`)
   */
  take(
    ruleId: string,
    source: FoundSource,
    jobId: string,
    at: number,
    again: boolean,
    isThere?: (path: string) => boolean,
  ): void;
  /** Skips these sources, in one transaction; existing rows stay unchanged. */
  skip(ruleId: string, sources: readonly FoundSource[], at: number): void;
  /**
   * Updates the rows of these sources to their current look, in one transaction: either rows whose job has
   * ended, or those with a job under way.
   */
  learn(ruleId: string, sources: readonly FoundSource[], which?: 'ended' | 'under-way'): void;
  /** Stores the standing of these sources, in one transaction. Existing rows are otherwise unchanged. */
  stand(ruleId: string, sources: readonly FoundSource[], standing: Standing): void;
  /** Clears the standing of these sources, and deletes rows without a state. */
  endStandings(ruleId: string, paths: readonly string[]): void;
  /** From now on the user is asked about each source separately. */
  askSingly(ruleId: string): void;
  change(ruleId: string, path: string, change: LedgerChange): void;
  /** Newest first. */
  list(ruleId: string, limit: number): readonly LedgerEntry[];
  /** Rows of all rules with a job under way. */
  taken(): readonly LedgerEntry[];
  /** Rows of this rule that wait for a retry, soonest first, then in the order of arrival. */
  waitingForRetry(ruleId: string): readonly LedgerEntry[];
  /** Rows of this rule that failed and wait for a change or the user. */
  failed(ruleId: string): readonly LedgerEntry[];
  /** The rule's number of rows in each state, without rows that are gone. */
  counts(ruleId: string): Readonly<Record<LedgerEntry['state'], number>>;
  /** The number of sources that the rule has uploaded, for `{counter}`; never decreases. */
  takenSoFar(ruleId: string): number;
  lastTakenAt(ruleId: string): number | null;
  addActivity(ruleId: string, line: ActivityLine): void;
  /** Newest first. */
  activity(ruleId: string, limit: number): readonly ActivityLine[];
  /** Replaces an earlier receipt of the job. */
  addReceipt(receipt: Receipt, jobId: string): void;
  receiptOf(jobId: string): Receipt | undefined;
  /** Receipts with this asset ID of any service, newest first; at most 20. */
  receiptsOf(assetId: number): readonly (Receipt & { readonly jobId: string })[];
  /** The assets of all receipts, with their accounts. */
  receivedAssets(): readonly ReceivedAsset[];
  /** Of one rule or of all (null), newest first, read lazily. */
  receipts(ruleId: string | null): Iterable<Receipt>;
}
