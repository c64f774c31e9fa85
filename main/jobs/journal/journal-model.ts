import type { EndedPlace, EndedRest, JobFiles } from '../../../shared/job.ts';
import type { JobStatus } from '../../../shared/job-status.ts';
import type { SearchedJob } from '../../../shared/search/job-filter.ts';
import type { ChangesInShort } from '../../../shared/source-changes.ts';
import type { FileIdentity } from '../../files/file-identity.ts';
import type { SourceFile } from '../../files/model.ts';
import type { BegunUpload, StoredPart } from '../../storage/storage.ts';
import type { FilePlan } from '../../transfer/plan.ts';
import type { ComparedBy, TransferFile } from '../../transfer/transfer-model.ts';
import type { JobEvent } from '../events.ts';
import type { Speed } from '../forecast.ts';
import type { MadeAsset, NewJob, SentFile } from '../model.ts';

/** A job in memory, without decisions about its files, which may be a million. */
export interface JobRecord extends Omit<NewJob, 'changes'> {
  readonly id: string;
  readonly createdAt: number;
}

export type WholeJob = JobRecord & Pick<NewJob, 'changes'>;

/** A removed job. */
export interface HeldJob {
  readonly id: string;
  /** Ms since the epoch. */
  readonly removedAt: number;
}

/** A job and its queue position. */
export interface PlacedJob {
  readonly record: JobRecord;
  readonly place: number;
}

/** A job's end, derived from its events. */
export interface JobEnd {
  /** Ms since the epoch. */
  readonly at: number;
  readonly as: JobStatus;
  /** Source size; null if never scanned. */
  readonly bytes: number | null;
}

/** An ended job's searchable facts, with only the first of many paths. */
interface EndedFacts extends SearchedJob {
  readonly place: EndedPlace;
  /** Source size if known. */
  readonly bytes: number;
}

export interface PlannedFile extends SourceFile {
  readonly plan: FilePlan;
}

interface ConfirmedTotals {
  readonly bytes: number;
  readonly parts: number;
}

/** A part or a whole file that storage confirmed. */
export interface Confirmation {
  readonly fileId: number;
  /** Null: the whole file. */
  readonly part: StoredPart | null;
  /** Only for whole files; absent or null if unknown. */
  readonly etag?: string | null;
  /** Only for whole files; absent or null if unknown or mixed. */
  readonly comparedBy?: ComparedBy | null;
}

/** An abandoned multipart upload still in storage. */
export interface PendingAbort {
  readonly jobId: string;
  readonly key: string;
  readonly uploadId: string;
}

/**
 * Persists jobs, files and parts. Each call is one transaction, on disk when it returns, and throws
 * `journal-full` or `journal-unusable`. Calls take a few milliseconds whatever the job's size: files go in
 * pages. Pages of a plan reach the disk with the next call of another kind.
 */
export interface Journal {
  /** All listed jobs, including ended ones, oldest first. */
  jobs(): readonly JobRecord[];
  /** Listed jobs not recorded as ended, oldest first. */
  unfinished(): readonly PlacedJob[];
  /** A listed or restorable job. */
  job(id: string): (PlacedJob & { readonly isListed: boolean }) | undefined;
  /** A page of listed ended jobs after a place (default: the first), newest first. */
  endedPage(max: number, previousPlace?: EndedPlace): readonly (EndedPlace & { readonly id: string })[];
  /** Counts ended jobs after a place, without replaced ones. */
  endedAfter(place: EndedPlace): EndedRest;
  /** Like `endedPage`, for searching, without replaced jobs. */
  endedFacts(max: number, previousPlace?: EndedPlace): readonly EndedFacts[];
  /** Count and latest end of listed ended jobs per status. */
  endedTotals(): ReadonlyMap<JobStatus, { readonly count: number; readonly lastAt: number }>;
  setEnds(jobEnds: ReadonlyMap<string, JobEnd>): void;
  /** Ids of jobs, including restorable ones, that made or will make this asset, newest first. */
  jobsOfAsset(accountId: string, assetId: number): readonly string[];
  /** Assets that an account's jobs, including restorable ones, made or will make. */
  assetIds(accountId: string): readonly number[];
  /** Whether a job of the journal owns the asset or left it behind. */
  isOurAsset(assetId: number): boolean;
  /** Ids of listed jobs for exactly these paths, newest first. */
  jobsOfSource(accountId: string, paths: readonly string[], max: number): readonly string[];
  /** Appends to the queue. `alongside` writes in the same transaction; if it throws, no job is added. */
  addJob(job: WholeJob, alongside?: () => void): void;
  /** Decisions about the job's files. */
  changes(jobId: string): NewJob['changes'];
  /** Final; `clearRemoved` deletes its rows. */
  removeJob(id: string): void;
  /** All or none. */
  setPlaces(places: ReadonlyMap<string, number>): void;
  setBody(jobId: string, body: NewJob['body']): void;
  /** Takes ended jobs off the list until `bringBack`. Returns the ids that were listed. */
  holdJobs(ids: readonly string[], removedAt: number): readonly string[];
  /** Restorable jobs, oldest first. */
  heldJobs(): readonly HeldJob[];
  bringBack(ids: readonly string[]): void;
  /** The scanned source and its changes; null for none. */
  setFingerprint(jobId: string, fingerprint: string, changes: ChangesInShort | null): void;
  /** Records the job's asset as complete, so that its source is recognized later. */
  noteMade(jobId: string, assetId: number, completedAt: number): void;
  /** The last asset completed from such a source, with this account. */
  madeOf(accountId: string, fingerprint: string): MadeAsset | undefined;
  /** Ids of assets completed with this account. */
  madeAssets(accountId: string): readonly number[];
  /** Clears a page of removed jobs' rows; true while there is more. */
  clearRemoved(): boolean;
  /** Omits kinds that only a later version knows. */
  events(jobId: string): readonly JobEvent[];
  /** `end`: set if the event ends the job; null if it restarts it. */
  append(jobId: string, event: JobEvent, end?: JobEnd | null): void;
  /** Sets this job's malformed rows aside, as every start does for unfinished jobs. */
  setAside(jobId: string, nowMs: number): void;
  /** Drops a page of the job's files and parts; true while there are more. */
  dropFiles(jobId: string): boolean;
  /** They only count once a `scanned` event follows. */
  addFiles(jobId: string, files: readonly PlannedFile[]): void;
  /** A page of incomplete files with their confirmed parts, by id after `afterId` (default 0). */
  unfinishedFiles(jobId: string, afterId?: number): readonly TransferFile[];
  /**
   * The next page of incomplete files in sending order: files over 1 MiB by size, then small ones as found.
   * Empty at the end.
   *
   * @param previousFile the last file of the previous page
   */
  filesToSend(jobId: string, previousFile?: Pick<TransferFile, 'id' | 'size'>): readonly TransferFile[];
  /** A page of all files, by id after `afterId` (default 0). */
  sentFiles(jobId: string, afterId?: number): readonly (SentFile & { readonly id: number })[];
  /** The first page of files. */
  firstFiles(jobId: string): readonly Pick<SourceFile, 'key' | 'path'>[];
  /** Files to show: at most `max` of each kind. */
  fileProgress(jobId: string, max: number): JobFiles;
  totals(jobId: string): ConfirmedTotals;
  /** Marks the job's unfinished uploads for abortion. */
  addPendingAborts(jobId: string): void;
  /** For one job or all, including removed ones. */
  pendingAborts(jobId?: string): readonly PendingAbort[];
  abortDone(pendingAbort: PendingAbort): void;
  /** They can't be aborted any longer. */
  dropPendingAborts(jobId: string): void;
  uploadBegun(fileId: number, upload: BegunUpload): void;
  /** Call before the completion request. Dropping parts or the upload undoes it. */
  completeSent(fileId: number): void;
  confirm(confirmations: readonly Confirmation[]): void;
  /** The file was replaced by an identical one. */
  identityTaken(fileId: number, identity: FileIdentity): void;
  dropParts(fileId: number, numbers: readonly number[]): void;
  /** Discards its parts and marks it for abortion. */
  forgetUpload(fileId: number): void;
  /** Speeds of the account's last uploads, for large and small files, oldest first. */
  speeds(accountId: string): readonly Speed[];
  addSpeed(accountId: string, speed: Speed): void;
  /** Returns some unused space to the disk; true while there may be more. */
  giveBack(): boolean;
  close(): void;
}
