import type { ActivityLine } from '../../model/activity.ts';
import type { FoundSource, LedgerEntry, Receipt, Standing } from '../../model/model.ts';
import type { BatchRows, MoveJournal, NotedRows, RestoredRows, SideTables } from './side-tables.ts';

/** The columns that may change. */
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
    | 'refusedAt'
    | 'standing'
    | 'movedTo'
  >
>;

/** An asset of a receipt; the account is null if the receipt is damaged. */
export interface ReceivedAsset {
  readonly assetId: number;
  readonly accountId: string | null;
}

/**
 * The newest row for each rule and path, in the journal's database. Every call is durable when it returns,
 * and throws `journal-full` or `journal-unusable`.
 */
export interface Ledger extends MoveJournal, SideTables, RestoredRows, BatchRows, NotedRows {
  find(ruleId: string, path: string): LedgerEntry | undefined;
  withIdentity(ruleId: string, identity: string): readonly LedgerEntry[];
  /** Ignores the case of Latin letters. */
  likePath(ruleId: string, path: string): readonly LedgerEntry[];
  ofJob(jobId: string): LedgerEntry | undefined;
  /**
   * Records that this job uploads the source. Call it inside the transaction that adds the job. `isRetry`
   * keeps `retries` and `restarts`; an asset that the user didn't request counts as a restart.
   *
   * @param isThere whether a path of the watched folder exists. Default: none does, the stricter answer.
   * @throws TileliftError `watch-already-taken` if the content has an asset or a job (`asset-rules.ts`)
   */
  take(
    ruleId: string,
    source: FoundSource,
    jobId: string,
    timestamp: number,
    isRetry: boolean,
    isThere?: (path: string) => boolean,
  ): void;
  /** Existing rows stay unchanged. Runs in one transaction. */
  skip(ruleId: string, sources: readonly FoundSource[], timestamp: number): void;
  /**
   * Updates rows to the sources' current facts, either ended ones or those under way. Runs in one transaction.
   */
  learn(ruleId: string, sources: readonly FoundSource[], which?: 'ended' | 'under-way'): void;
  stand(ruleId: string, sources: readonly FoundSource[], standing: Standing): void;
  /** Also deletes rows without a state. */
  endStandings(ruleId: string, paths: readonly string[]): void;
  askSingly(ruleId: string): void;
  change(ruleId: string, path: string, change: LedgerChange): void;
  /** Newest first. */
  list(ruleId: string, limit: number): readonly LedgerEntry[];
  takenEntries(): readonly LedgerEntry[];
  /** Soonest first, then in order of arrival. */
  waitingForRetry(ruleId: string): readonly LedgerEntry[];
  /** The sources that pause the rule, see `refusedAt`. */
  refused(ruleId: string): readonly LedgerEntry[];
  failed(ruleId: string): readonly LedgerEntry[];
  /** Without rows that are gone. */
  counts(ruleId: string): Readonly<Record<LedgerEntry['state'], number>>;
  /** For `{counter}`; never decreases. */
  takenSoFar(ruleId: string): number;
  lastTakenAt(ruleId: string): number | null;
  addActivity(ruleId: string, line: ActivityLine): void;
  activity(ruleId: string, limit: number): readonly ActivityLine[];
  /** Replaces an earlier receipt of the job. */
  addReceipt(receipt: Receipt, jobId: string): void;
  receiptOf(jobId: string): Receipt | undefined;
  /** From any service, newest first; at most 20. */
  receiptsOf(assetId: number): readonly (Receipt & { readonly jobId: string })[];
  receivedAssets(): readonly ReceivedAsset[];
  /** Null: all rules. Newest first, read lazily. */
  receipts(ruleId: string | null): Iterable<Receipt>;
}
