import type {
  Amount,
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
import type { ChosenChanges } from '../inspect/changes/chosen-changes.ts';
import type { CreationBody } from '../service/model.ts';

/** `at`: ms since the epoch. */
export interface MadeAsset {
  readonly assetId: number;
  readonly at: number;
  readonly changes?: ChangesInShort;
}

/** A request to upload these paths as an asset. */
export interface NewJob {
  readonly accountId: string;
  /** Absolute, in drop order. */
  readonly paths: readonly string[];
  readonly body: CreationBody;
  /** The request doesn't include a detected kind. */
  readonly isKindDetected?: true;
  /** Design, "Credential life". */
  readonly acceptForecast: boolean;
  readonly changes?: ChosenChanges;
  /** Unattended jobs may only send exactly this source. */
  readonly exactly?: ExactSource;
  /** Id of the replaced job. */
  readonly predecessor?: string;
  /** For display. */
  readonly expected?: Amount;
}

/** How to scan a source, and what must be found. */
export interface ExactSource {
  /** Absolute folder that keys are relative to. */
  readonly keysFrom: string;
  /** Additional gitignore lines, matched against keys. */
  readonly gitignore: readonly string[];
  /** `source/fingerprint.ts`; null for any. */
  readonly fingerprint: string | null;
  /** Watched folder (absolute): files missing while it is away weren't deleted. Default: `keysFrom`. */
  readonly home?: string;
}

/** A job as other modules see it. */
export interface JobSnapshot extends JobFacts {
  /** Not followed. */
  readonly links?: number;
}

/** A page of ended jobs. */
export interface EndedPage {
  readonly jobs: readonly JobSnapshot[];
  /** Null if this is the last page. */
  readonly next: EndedPlace | null;
}

interface EndedTotal {
  readonly count: number;
  /** Ms since the epoch. */
  readonly lastAt: number;
}

/** A file of a job, as it is in storage. */
export interface SentFile {
  readonly key: string;
  readonly size: number;
  /** At the scan. */
  readonly mtimeMs: number;
  /** Without quotes; null until storage has the whole file, or if unknown. */
  readonly etag: string | null;
  /** Null if unknown or mixed. */
  readonly comparedBy: 'crc32' | 'md5' | null;
  /** Bytes per part, except the last. */
  readonly partSize: number;
}

interface FoundPage extends EndedPage {
  readonly rest: EndedRest;
}

/** All operations on jobs. */
export interface JobService {
  start(): void;
  /** Resolves when nothing runs. */
  stop(): Promise<void>;
  /**
   * Validates and stores the job; returns its id. `alongside` runs in the journal's transaction; if it
   * throws, no job is added.
   */
  add(job: NewJob, alongside?: (jobId: string) => void): string;
  /** Null if unknown. */
  forecast(accountId: string, bytes: number, files: number): Forecast | null;
  /** Newest first. Reads every ended job, so never call it at a start. */
  list(): readonly JobSnapshot[];
  /** Newest first. */
  unfinished(): readonly JobSnapshot[];
  /** A page after a place, newest first. */
  ended(max: number, previousPlace?: EndedPlace): EndedPage;
  /** A page after a place, newest first. */
  findEnded(filter: JobFilter, max: number, previousPlace?: EndedPlace): Promise<FoundPage>;
  endedAfter(place: EndedPlace): EndedRest;
  endedTotals(): ReadonlyMap<JobStatus, EndedTotal>;
  /** Newest first, read lazily. */
  ofSource(accountId: string, paths: readonly string[]): Iterable<JobSnapshot>;
  /** Newest first, including restorable ones. */
  ofAsset(accountId: string, assetId: number): readonly (JobSnapshot & { readonly isListed: boolean })[];
  /** Includes future assets. */
  assetIds(accountId: string): readonly number[];
  get(id: string): JobSnapshot | undefined;
  /** Throws `job-unknown`. */
  wanted(id: string): NewJob;
  history(id: string): readonly HistoryEntry[];
  /** Empty if the job is gone. */
  files(id: string): JobFiles;
  /** Read lazily; empty if the job is gone. */
  sentFiles(id: string): Iterable<SentFile>;
  /** Throws `job-unknown`. Ignores actions that the state doesn't allow. */
  act(id: string, action: JobAction): Promise<void>;
  /**
   * Returns the ids that allowed the action. Pauses and cancels from the end of the queue, all else in order.
   */
  actOn(ids: readonly string[], action: JobAction): Promise<readonly string[]>;
  /** Null: to the end. Ignores jobs that aren't queued. */
  move(ids: readonly string[], successor: string | null): void;
  /** Null: those removed last. Returns the restored ids. */
  bringBack(ids: readonly string[] | null): readonly string[];
  madeOf(accountId: string, fingerprint: string): MadeAsset | undefined;
  madeAssets(accountId: string): readonly number[];
  /** Call after a sign-in. */
  wake(accountId: string): void;
  accountsChanged(): void;
  /** Returns an unsubscribe function. */
  onChange(listener: (id: string) => void): () => void;
}
