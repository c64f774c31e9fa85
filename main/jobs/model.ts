import type {
  AmountOfData,
  EndedPlace,
  EndedRest,
  Forecast,
  HistoryEntry,
  JobFacts,
  JobFiles,
} from '../../shared/job.ts';

export type { HistoryEntry };

import type { JobAction, JobStatus } from '../../shared/job-status.ts';
import type { JobFilter } from '../../shared/search/job-filter.ts';
import type { ChangesInShort } from '../../shared/source-changes.ts';
import type { SourceFile } from '../files/model.ts';
import type { ChosenChanges } from '../inspect/changes/chosen-changes.ts';
import type { CreationBody } from '../service/model.ts';

/** An asset completed from a source. `at`: ms since the epoch. */
export interface MadeAsset {
  readonly assetId: number;
  readonly at: number;
  /** Absent for none. */
  readonly changes?: ChangesInShort;
}

/** A request to upload these paths as an asset. */
export interface NewJob {
  readonly accountId: string;
  /** Absolute paths in drop order. */
  readonly paths: readonly string[];
  readonly body: CreationBody;
  /** The kind in `body` was detected, so it isn't part of the request. */
  readonly isKindDetected?: true;
  /** The user accepted that the upload may outlive its credentials. */
  readonly acceptForecast: boolean;
  /** Decisions about files. */
  readonly changes?: ChosenChanges;
  /** Set for unattended jobs: only exactly this source may be sent. */
  readonly exactly?: ExactSource;
  /** Id of the replaced job, which may be gone. */
  readonly predecessor?: string;
  /** Size of the source at the request, for display; absent if not inspected. */
  readonly expected?: AmountOfData;
}

/** How to scan a source, and what must be found. */
export interface ExactSource {
  /** Absolute folder that keys are relative to. */
  readonly keysFrom: string;
  /** Additional ignore rules: gitignore lines matched against keys. */
  readonly gitignore: readonly string[];
  /** Expected fingerprint (`files/fingerprint.ts`); null for any. */
  readonly fingerprint: string | null;
  /** The watched folder (absolute): files missing while it is away weren't deleted. Default: `keysFrom`. */
  readonly home?: string;
}

/** A job as other modules see it. */
export interface JobSnapshot extends JobFacts {
  /** Links in the source, not followed; absent for none. */
  readonly links?: number;
}

/** A page of ended jobs. */
export interface EndedPage {
  readonly jobs: readonly JobSnapshot[];
  /** Start of the next page; null if this is the last. */
  readonly next: EndedPlace | null;
}

interface EndedTotal {
  readonly count: number;
  /** Ms since the epoch. */
  readonly lastAt: number;
}

/** A file as stored. */
export interface SentFile {
  readonly key: string;
  readonly size: number;
  /** Modification time at the scan. */
  readonly mtimeMs: number;
  /** Without quotes; null until storage has the whole file, or if unknown. */
  readonly etag: string | null;
  /** The checksum compared for every byte; null if unknown or mixed. */
  readonly comparedBy: 'crc32' | 'md5' | null;
  /** Bytes per part, except the last. */
  readonly partSize: number;
}

interface FoundPage extends EndedPage {
  /** Remaining matches. */
  readonly rest: EndedRest;
}

/** All operations on jobs. */
export interface JobService {
  /** Resumes unfinished jobs. */
  start(): void;
  /** Stops all work resumably; resolves when nothing runs. */
  stop(): Promise<void>;
  /**
   * Validates and stores the job, and starts it when it is its turn. Returns its id. `alongside` runs in the
   * journal's transaction; if it throws, no job is added.
   */
  add(job: NewJob, alongside?: (jobId: string) => void): string;
  /** Estimates the upload from the account's last ones; null if unknown. */
  forecast(accountId: string, bytes: number, files: number): Forecast | null;
  /** Newest first. Reads every ended job, so never call it at a start. */
  list(): readonly JobSnapshot[];
  /** Newest first. */
  unfinishedJobs(): readonly JobSnapshot[];
  /** A page of ended jobs after a place (default: the first), newest first. */
  listEnded(max: number, previousPlace?: EndedPlace): EndedPage;
  /** A page of matching ended jobs after a place (default: the first), newest first. */
  findEnded(filter: JobFilter, max: number, previousPlace?: EndedPlace): Promise<FoundPage>;
  endedAfter(place: EndedPlace): EndedRest;
  /** Count and latest end of listed ended jobs per status. */
  endedTotals(): ReadonlyMap<JobStatus, EndedTotal>;
  /** Listed jobs for exactly these paths, newest first, read lazily. */
  ofSource(accountId: string, paths: readonly string[]): Iterable<JobSnapshot>;
  /** Jobs that made or will make this asset, newest first, including restorable ones. */
  ofAsset(accountId: string, assetId: number): readonly (JobSnapshot & { readonly isListed: boolean })[];
  /** Assets that the account's jobs made or will make. */
  assetIds(accountId: string): readonly number[];
  get(id: string): JobSnapshot | undefined;
  /** Returns the original request. Throws `job-unknown`. */
  requestOf(id: string): NewJob;
  history(id: string): readonly HistoryEntry[];
  /** Progress of some of the job's files. Empty if the job is gone. */
  files(id: string): JobFiles;
  /** The plan's files in no particular order, read lazily. Empty if the job is gone. */
  sentFiles(id: string): Iterable<SentFile>;
  /** The plan's first files. Empty before the scan, or if the job is gone. */
  firstFiles(id: string): readonly Pick<SourceFile, 'key' | 'path'>[];
  /** Throws `job-unknown`. Does nothing if the state doesn't allow the action. */
  act(id: string, action: JobAction): Promise<void>;
  /**
   * Applies the action where allowed and returns those ids. Pauses and cancels from the end of the queue, all
   * else in order.
   */
  actOn(ids: readonly string[], action: JobAction): Promise<readonly string[]>;
  /** Moves queued jobs before another (null: to the end), keeping their order. Ignores other jobs. */
  move(ids: readonly string[], successor: string | null): void;
  /** Renames a job that is still queued. Ignores other jobs and blank names. */
  rename(id: string, name: string): void;
  /** Restores removed jobs; null: those removed last. Returns the restored ids. */
  bringBack(ids: readonly string[] | null): readonly string[];
  /** The last asset completed from such a source with this account. */
  madeOf(accountId: string, fingerprint: string): MadeAsset | undefined;
  /** Ids of assets completed with this account, also by removed jobs. */
  madeAssets(accountId: string): readonly number[];
  /** Resumes the account's unfinished jobs after a sign-in. */
  wake(accountId: string): void;
  /** Checks which accounts are signed in and holds back the others' jobs. */
  accountsChanged(): void;
  /** Called with the id of each changed job. Returns an unsubscribe function. */
  onChange(listener: (id: string) => void): () => void;
}
