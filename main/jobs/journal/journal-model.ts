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

/** Without decisions about its files, which may be a million. */
export interface JobRecord extends Omit<NewJob, 'changes'> {
  readonly id: string;
  readonly createdAt: number;
}

export type WholeJob = JobRecord & Pick<NewJob, 'changes'>;

/** A removed job that can be restored. */
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
  /** Null if never scanned. */
  readonly bytes: number | null;
}

/** Only the first of many paths. */
interface EndedFacts extends SearchedJob {
  readonly place: EndedPlace;
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
  /** Null if unknown. */
  readonly etag?: string | null;
  /** Null if unknown or mixed. */
  readonly comparedBy?: ComparedBy | null;
}

/** An abandoned multipart upload still in storage. */
export interface OwedAbort {
  readonly jobId: string;
  readonly key: string;
  readonly uploadId: string;
}

/**
 * Each call is one transaction of a few milliseconds, on disk when it returns, and throws `journal-full` or
 * `journal-unusable`. Pages of a plan reach the disk with the next call of another kind.
 */
export interface Journal {
  /** Oldest first. */
  jobs(): readonly JobRecord[];
  /** Oldest first. */
  unfinished(): readonly PlacedJob[];
  /** Also restorable jobs. */
  job(id: string): (PlacedJob & { readonly isListed: boolean }) | undefined;
  /** Newest first. */
  endedPage(max: number, previousPlace?: EndedPlace): readonly (EndedPlace & { readonly id: string })[];
  /** Without replaced jobs. */
  endedAfter(place: EndedPlace): EndedRest;
  /** Without replaced jobs, newest first. */
  endedFacts(max: number, previousPlace?: EndedPlace): readonly EndedFacts[];
  endedTotals(): ReadonlyMap<JobStatus, { readonly count: number; readonly lastAt: number }>;
  setEnds(ends: ReadonlyMap<string, JobEnd>): void;
  /** Includes restorable jobs, newest first. */
  jobsOfAsset(accountId: string, assetId: number): readonly string[];
  /** Includes restorable jobs. */
  assetIds(accountId: string): readonly number[];
  /** Includes assets left behind. */
  isOurAsset(assetId: number): boolean;
  /** Listed jobs for exactly these paths, newest first. */
  jobsOfSource(accountId: string, paths: readonly string[], max: number): readonly string[];
  /** `alongside` writes in the same transaction. */
  addJob(job: WholeJob, alongside?: () => void): void;
  changes(jobId: string): NewJob['changes'];
  /** Final; `clearRemoved` deletes its rows. */
  removeJob(id: string): void;
  setPlaces(places: ReadonlyMap<string, number>): void;
  /** Takes ended jobs off the list until `bringBack`. Returns the ids that were listed. */
  holdJobs(ids: readonly string[], removedAt: number): readonly string[];
  /** Oldest first. */
  heldJobs(): readonly HeldJob[];
  bringBack(ids: readonly string[]): void;
  /** `changes`: null for none. */
  setFingerprint(jobId: string, fingerprint: string, changes: ChangesInShort | null): void;
  /** Its source is recognized from now on. */
  noteMade(jobId: string, assetId: number, completedAt: number): void;
  madeOf(accountId: string, fingerprint: string): MadeAsset | undefined;
  madeAssets(accountId: string): readonly number[];
  /** True while there is more. */
  clearRemoved(): boolean;
  /** Omits kinds that only a later version knows. */
  events(jobId: string): readonly JobEvent[];
  /** `end`: null if the event restarts the job. */
  append(jobId: string, event: JobEvent, end?: JobEnd | null): void;
  /** Sets malformed rows aside. */
  setAside(jobId: string, nowMs: number): void;
  /** Drops a page; true while there are more. */
  dropFiles(jobId: string): boolean;
  /** They only count once a `scanned` event follows. */
  addFiles(jobId: string, files: readonly PlannedFile[]): void;
  /** A page, by id. */
  unfinishedFiles(jobId: string, afterId?: number): readonly TransferFile[];
  /** A page of incomplete files: those over 1 MiB by size, then small ones as found. */
  filesToSend(jobId: string, previousFile?: Pick<TransferFile, 'id' | 'size'>): readonly TransferFile[];
  /** A page, by id. */
  sentFiles(jobId: string, afterId?: number): readonly (SentFile & { readonly id: number })[];
  fileProgress(jobId: string, max: number): JobFiles;
  totals(jobId: string): ConfirmedTotals;
  openUploads(jobId: string): readonly { readonly key: string; readonly uploadId: string }[];
  oweAborts(jobId: string): void;
  /** Includes removed jobs. */
  owedAborts(jobId?: string): readonly OwedAbort[];
  abortDone(owed: OwedAbort): void;
  /** They can't be aborted any longer. */
  forgiveAborts(jobId: string): void;
  uploadBegun(fileId: number, upload: BegunUpload): void;
  /** Call before the request. Dropping parts or the upload undoes it. */
  completeSent(fileId: number): void;
  confirm(confirmations: readonly Confirmation[]): void;
  /** The file was replaced by an identical one. */
  identityTaken(fileId: number, identity: FileIdentity): void;
  dropParts(fileId: number, numbers: readonly number[]): void;
  /** Its abort is pending. */
  forgetUpload(fileId: number): void;
  /** Oldest first. */
  speeds(accountId: string): readonly Speed[];
  addSpeed(accountId: string, speed: Speed): void;
  /** True while there may be more. */
  giveBack(): boolean;
  close(): void;
}
