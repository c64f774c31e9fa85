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

/** A job as it is kept in memory: without what a person decided about its files, which may be a million. */
export interface JobRecord extends Omit<NewJob, 'changes'> {
  readonly id: string;
  readonly createdAt: number;
}

export type WholeJob = JobRecord & Pick<NewJob, 'changes'>;

/** A job that is off the list. */
export interface HeldJob {
  readonly id: string;
  /** When, ms since the epoch. */
  readonly removedAt: number;
}

/** A job, and its place among those that wait. */
export interface PlacedJob {
  readonly record: JobRecord;
  readonly place: number;
}

/** The end of a job, as its events tell it. */
export interface JobEnd {
  /** Ms since the epoch. */
  readonly at: number;
  readonly as: JobStatus;
  /** Of its source; null where that was never scanned. */
  readonly bytes: number | null;
}

/** An ended job on the list, as far as a search looks at it: of many paths the first ones. */
interface EndedFacts extends SearchedJob {
  readonly place: EndedPlace;
  /** Of its source, as far as it is known. */
  readonly bytes: number;
}

export interface PlannedFile extends SourceFile {
  readonly plan: FilePlan;
}

/** What storage has confirmed of a job. */
interface ConfirmedTotals {
  readonly bytes: number;
  readonly parts: number;
}

export interface Confirmation {
  readonly fileId: number;
  /** Null: the whole file. */
  readonly part: StoredPart | null;
  /** Of the whole file, as storage has it; absent or null where that is not known. */
  readonly etag?: string | null;
  /** Of the whole file: what storage has compared; absent or null where that is unknown, or not one alone. */
  readonly comparedBy?: ComparedBy | null;
}

/** An upload that nobody continues with and storage still keeps. */
export interface OwedAbort {
  readonly jobId: string;
  readonly key: string;
  readonly uploadId: string;
}

/**
 * Remembers jobs, files and parts across restarts. Every call is one transaction that is on the disk when it
 * returns, and throws `journal-full` or `journal-unusable` when it can't be. None takes longer than a few
 * milliseconds, however large the job: what concerns all files goes in pages. Pages of a plan, written or
 * dropped, are on the disk with the next call that is neither.
 */
export interface Journal {
  /** Every one that is on the list, ended ones too, oldest first. */
  jobs(): readonly JobRecord[];
  /** Those on the list that are not known to have ended, oldest first. */
  unfinished(): readonly PlacedJob[];
  /** One that is on the list, or off it and still there. */
  job(id: string): (PlacedJob & { readonly isListed: boolean }) | undefined;
  /** A page of the ended ones on the list, newest first, after a place; default: the first. */
  ended(max: number, after?: EndedPlace): readonly (EndedPlace & { readonly id: string })[];
  /** How many ended ones come after a place, without those that others took the place of. */
  endedAfter(place: EndedPlace): EndedRest;
  /** As `ended`, without those that others took the place of: what a search looks at. */
  endedFacts(max: number, after?: EndedPlace): readonly EndedFacts[];
  /** How the ended ones on the list ended, how many of each and when the last. */
  endedTotals(): ReadonlyMap<JobStatus, { readonly count: number; readonly lastAt: number }>;
  /** What the events of jobs tell of their ends. */
  setEnds(ends: ReadonlyMap<string, JobEnd>): void;
  /** Ids of the jobs, held ones too, that made this asset or are about to, newest first. */
  jobsOfAsset(accountId: string, assetId: number): readonly string[];
  /** Of all assets that the jobs of an account, held ones too, made or are about to make. */
  assetIds(accountId: string): readonly number[];
  /** Whether an asset belongs to a job of the journal, or was left behind by one. */
  isOurAsset(assetId: number): boolean;
  /** Ids of the jobs on the list for exactly these paths, newest first. */
  jobsOfSource(accountId: string, paths: readonly string[], max: number): readonly string[];
  /**
   * Behind all others. `alongside`: what else is to be written in the same transaction. When it throws, there
   * is no job.
   */
  addJob(job: WholeJob, alongside?: () => void): void;
  /** What a person decided about the files of a job; undefined for nothing. */
  changes(jobId: string): NewJob['changes'];
  /** From now on it is gone; `clearRemoved` clears away what belonged to it. */
  removeJob(id: string): void;
  /** All of them, or none. */
  setPlaces(places: ReadonlyMap<string, number>): void;
  /**
   * Ended ones are off the list, and nothing of them is lost: `jobs` has them no more, `bringBack` undoes it.
   * Gives the ids of those that were on it.
   */
  holdJobs(ids: readonly string[], at: number): readonly string[];
  /** Those that are off the list and can be brought back, oldest first. */
  heldJobs(): readonly HeldJob[];
  bringBack(ids: readonly string[]): void;
  /** What a scan has found in the source of a job, and what of it is sent otherwise; null for nothing. */
  setFingerprint(jobId: string, fingerprint: string, changes: ChangesInShort | null): void;
  /** The asset of this job is complete: from now on its source is known to have become it. */
  noteMade(jobId: string, assetId: number, at: number): void;
  /** The last asset that became complete of such a source, with this account. */
  madeOf(accountId: string, fingerprint: string): MadeAsset | undefined;
  /** Ids of the assets that became complete with this account. */
  madeAssets(accountId: string): readonly number[];
  /** Clears away a page of what belonged to removed jobs; true while there is more. */
  clearRemoved(): boolean;
  /** Those of kinds that only a later version knows are left out. */
  events(jobId: string): readonly JobEvent[];
  /** `end`: where the event ends the job, or takes it out of its end (null). */
  append(jobId: string, event: JobEvent, end?: JobEnd | null): void;
  /** Rows of this job that make no sense are set aside, as every start does with unfinished jobs'. */
  setAside(jobId: string, now: number): void;
  /** Drops a page of a job's files with their parts; true while there are more. */
  dropFiles(jobId: string): boolean;
  /** A page of a job's files. They are a plan only once a `scanned` event follows. */
  addFiles(jobId: string, files: readonly PlannedFile[]): void;
  /**
   * Files that storage does not have whole, with their confirmed parts: a page of them, by id, from after
   * `afterId` (default 0: the first).
   */
  unfinishedFiles(jobId: string, afterId?: number): readonly TransferFile[];
  /**
   * The next page of what storage does not have whole, in the order in which it is sent: files over 1 MiB by
   * their size, then small ones as they were found. Empty: there are no more.
   *
   * @param after the last file of the page before; absent for the first
   */
  filesToSend(jobId: string, after?: Pick<TransferFile, 'id' | 'size'>): readonly TransferFile[];
  /** A page of a job's files, sent or not, by id, from after `afterId` (default 0: the first). */
  sentFiles(jobId: string, afterId?: number): readonly (SentFile & { readonly id: number })[];
  /** What a person sees of a job's files: at most so many of each kind. */
  fileProgress(jobId: string, max: number): JobFiles;
  totals(jobId: string): ConfirmedTotals;
  /** Multipart uploads that were begun and not completed. */
  openUploads(jobId: string): readonly { readonly key: string; readonly uploadId: string }[];
  /** Begun uploads of this job are owed from now on. */
  oweAborts(jobId: string): void;
  /** Of one job, or of all, removed ones too. */
  owedAborts(jobId?: string): readonly OwedAbort[];
  abortDone(owed: OwedAbort): void;
  /** Nothing can be done about them any more. */
  forgiveAborts(jobId: string): void;
  uploadBegun(fileId: number, upload: BegunUpload): void;
  /**
   * The request to complete the file's upload is about to be sent. Dropping parts or the upload undoes this.
   */
  completeSent(fileId: number): void;
  confirm(confirmations: readonly Confirmation[]): void;
  /** The file is there as another one that holds the same. */
  identityTaken(fileId: number, identity: FileIdentity): void;
  dropParts(fileId: number, numbers: readonly number[]): void;
  /** Its parts count no more, and to abort it is owed. */
  forgetUpload(fileId: number): void;
  /** How fast the last uploads of this account went, with large files and with small ones, oldest first. */
  speeds(accountId: string): readonly Speed[];
  addSpeed(accountId: string, speed: Speed): void;
  /** Gives some of the space that nothing uses back to the disk; true while there may be more. */
  giveBack(): boolean;
  close(): void;
}
