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

/** What became of a source. `at`: when it was complete, ms since the epoch. */
export interface MadeAsset {
  readonly assetId: number;
  readonly at: number;
  /** Absent for none. */
  readonly changes?: ChangesInShort;
}

/** What a person asked for: these paths as this asset, with this account. */
export interface NewJob {
  readonly accountId: string;
  /** Absolute paths of the dropped entries, in the order in which they were dropped. */
  readonly paths: readonly string[];
  readonly body: CreationBody;
  /** Nobody named the kind in `body`: its files showed it, so it says nothing about what was asked for. */
  readonly isKindDetected?: true;
  /** The person wants it although the forecast exceeds the credential life (design, "Credential life"). */
  readonly acceptForecast: boolean;
  /** What the person decided about its files; absent for nothing. */
  readonly changes?: ChosenChanges;
  /** Set where nobody watches: what is sent must be this and nothing else. */
  readonly exactly?: ExactSource;
  /** Id of the job that it takes the place of, which may be gone; absent for none. */
  readonly predecessor?: string;
  /** What was found in the source when the job was wanted, for people; absent where nobody has looked. */
  readonly expected?: Amount;
}

/** How a source is scanned, and what must be found. */
export interface ExactSource {
  /** The folder to which keys are relative, absolute. */
  readonly keysFrom: string;
  /** What is left out besides what every scan leaves out: lines in gitignore syntax, matched with keys. */
  readonly gitignore: readonly string[];
  /** Of what was found when the job was wanted (`source/fingerprint.ts`); null for whatever is there. */
  readonly fingerprint: string | null;
  /**
   * The watched folder that it is in, absolute: what is missing while that is away has not been taken out of
   * it. Default: `keysFrom`.
   */
  readonly home?: string;
}

/** A job as the rest of Tilelift sees it. */
export interface JobSnapshot extends JobFacts {
  /** Links in the source, which are not followed; absent for none. */
  readonly links?: number;
}

/** Some of the ended jobs. */
export interface EndedPage {
  readonly jobs: readonly JobSnapshot[];
  /** Where the next page goes on; null where this is the last. */
  readonly next: EndedPlace | null;
}

/** Of those that ended in one way. */
interface EndedTotal {
  readonly count: number;
  /** Ms since the epoch. */
  readonly lastAt: number;
}

/** A file of a job, as it is in storage. */
export interface SentFile {
  readonly key: string;
  readonly size: number;
  /** Of its modification, as it was scanned. */
  readonly mtimeMs: number;
  /** Bare; null while storage does not have the file whole, and where its ETag is not known. */
  readonly etag: string | null;
  /** The checksum that storage has compared of every byte; null where that is not known, or not one alone. */
  readonly comparedBy: 'crc32' | 'md5' | null;
  /** Bytes of every part but the last. */
  readonly partSize: number;
}

/** Some of the ended jobs that a filter finds. */
interface FoundPage extends EndedPage {
  /** What it finds besides. */
  readonly rest: EndedRest;
}

export interface JobService {
  /** Takes up every unfinished job of the journal. */
  start(): void;
  /** Stops all work, keeping everything needed to continue; resolves when nothing runs any more. */
  stop(): Promise<void>;
  /**
   * Checks the request, writes the job to the journal and starts it when it is its turn. Returns its id.
   * `alongside` is called with it in the journal's transaction: when it throws, there is no job.
   */
  add(job: NewJob, alongside?: (jobId: string) => void): string;
  /**
   * How long so many bytes in so many files will take with this account, begun now, as its last uploads went;
   * null while none has shown it.
   */
  forecast(accountId: string, bytes: number, files: number): Forecast | null;
  /** Newest first. Reads every ended one: for a whole list that someone asked for, and never at a start. */
  list(): readonly JobSnapshot[];
  /** Newest first. */
  unfinished(): readonly JobSnapshot[];
  /** A page of the ended ones, newest first, after a place; default: the first. */
  ended(max: number, after?: EndedPlace): EndedPage;
  /** Of the ended ones those that a filter finds, newest first, after a place; default: the first. */
  findEnded(filter: JobFilter, max: number, after?: EndedPlace): Promise<FoundPage>;
  /** What comes after a place. */
  endedAfter(place: EndedPlace): EndedRest;
  /** How the ended ones on the list ended, how many of each and when the last. */
  endedTotals(): ReadonlyMap<JobStatus, EndedTotal>;
  /** Those on the list for exactly these paths, newest first, read one by one. */
  ofSource(accountId: string, paths: readonly string[]): Iterable<JobSnapshot>;
  /** Those that made this asset or are about to, newest first, with removed ones that can be brought back. */
  ofAsset(accountId: string, assetId: number): readonly (JobSnapshot & { readonly isListed: boolean })[];
  /** Of all assets that these jobs made with an account, or are about to. */
  assetIds(accountId: string): readonly number[];
  get(id: string): JobSnapshot | undefined;
  /** As it was asked for. Throws `job-unknown`. */
  wanted(id: string): NewJob;
  history(id: string): readonly HistoryEntry[];
  /** How far the files of a job are, for a person to see: some of them. None of a job that is gone. */
  files(id: string): JobFiles;
  /** The files of a job's plan, in no particular order, read bit by bit. None of a job that is gone. */
  sentFiles(id: string): Iterable<SentFile>;
  /** Throws `job-unknown`; an action that the state does not allow does nothing. */
  act(id: string, action: JobAction): Promise<void>;
  /**
   * The action on each of these whose state allows it: pauses and cancels from the last in turn to the first,
   * all else in turn. Gives their ids.
   */
  actOn(ids: readonly string[], action: JobAction): Promise<readonly string[]>;
  /**
   * Puts queued jobs before another one, keeping their order among themselves; null: behind all others. What
   * is not queued stays where it is.
   */
  move(ids: readonly string[], before: string | null): void;
  /**
   * Removed jobs are on the list again as they were; null: those that were removed last. Gives the ids of
   * those that still could be.
   */
  bringBack(ids: readonly string[] | null): readonly string[];
  /** The last complete asset of a source with this fingerprint, with this account. */
  madeOf(accountId: string, fingerprint: string): MadeAsset | undefined;
  /** Ids of the assets that became complete with this account, also of jobs that are gone. */
  madeAssets(accountId: string): readonly number[];
  /** Unfinished jobs of this account continue (after a sign-in). */
  wake(accountId: string): void;
  /** Looks which accounts are signed in: jobs of the others are not begun, and say so. */
  accountsChanged(): void;
  /** Called with the id of each job that changed, as often as it changes. Returns an unsubscribe function. */
  onChange(listener: (id: string) => void): () => void;
}
