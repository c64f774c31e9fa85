import type { AssetType } from '../../shared/assets.ts';
import type { JobAction, JobStatus, JobWait } from '../../shared/job-status.ts';
import type { ErrorRecord } from '../errors.ts';
import type { CreationBody } from '../service/model.ts';
import type { Forecast } from './forecast.ts';

/** What a person asked for: these paths as this asset, with this account. */
export interface NewJob {
  readonly accountId: string;
  /** Absolute paths of the dropped entries, in the order in which they were dropped. */
  readonly paths: readonly string[];
  readonly body: CreationBody;
  /** The person wants it although the forecast does not fit the credential life (design, "Credential life"). */
  readonly acceptForecast: boolean;
  /** Set where nobody watches: what is sent must be this and nothing else. */
  readonly exactly?: ExactSource;
}

/** How a source is scanned, and what must be found. */
export interface ExactSource {
  /** The folder to which keys are relative, absolute. */
  readonly keysFrom: string;
  /** What is left out, besides what every scan leaves out: lines in gitignore syntax, matched against keys. */
  readonly gitignore: readonly string[];
  /** Of what was found when the job was wanted (`source/fingerprint.ts`); null for whatever is there. */
  readonly fingerprint: string | null;
  /** The watched folder that it lies in, absolute: what is missing while that is away has not been taken out of it. Default: `keysFrom`. */
  readonly home?: string;
}

/** A job as the rest of Tilelift sees it. Times are ms since the epoch, sizes are bytes. */
export interface JobSnapshot {
  readonly id: string;
  readonly accountId: string;
  readonly status: JobStatus;
  readonly name: string;
  readonly assetType: AssetType;
  readonly sourceType: string;
  readonly paths: readonly string[];
  readonly createdAt: number;
  readonly uploadedAt: number | null;
  readonly endedAt: number | null;
  /** Null until the source has been scanned. */
  readonly fileCount: number | null;
  readonly bytesTotal: number | null;
  /** Links in the source, which are not followed; absent for none. */
  readonly links?: number;
  /** Acknowledged by storage. */
  readonly bytesDone: number;
  /** Sent, not yet acknowledged. */
  readonly bytesOnWire: number;
  /** Smoothed over the last minute; null while nothing is being sent. */
  readonly bytesPerSecond: number | null;
  /** Of the upload; null where it can't be told. */
  readonly secondsLeft: number | null;
  readonly partsTotal: number | null;
  readonly partsDone: number;
  readonly partsOnWire: number;
  /** When the storage credentials end; null before there are any and after the upload. */
  readonly credentialsEndAt: number | null;
  /** Parts that had to be sent more than once. */
  readonly partsSentAgain: number;
  /** Parts that may be in flight at once, as the engine sees fit now; null while nothing is being sent. */
  readonly concurrency: number | null;
  /** Why a job that could go on does not; null when it does. */
  readonly waitingFor: JobWait | null;
  readonly assetId: number | null;
  /** The service's own word for the asset's status. */
  readonly assetStatus: string | null;
  /** Tiling progress, 0 to 100. */
  readonly percentComplete: number | null;
  readonly progressMessage: string | null;
  readonly error: ErrorRecord | null;
  /** A watched folder's, not begun by a person. */
  readonly byRule: boolean;
  readonly actions: readonly JobAction[];
}

/** A file of a job, as it is on storage. */
export interface SentFile {
  readonly key: string;
  readonly size: number;
  /** Of its modification, as it was scanned. */
  readonly mtimeMs: number;
  /** Bare; null while storage does not have the file whole, and where its ETag is not known. */
  readonly etag: string | null;
  /** Bytes of every part but the last. */
  readonly partSize: number;
}

/** One line of a job's history, in words. */
export interface HistoryEntry {
  readonly at: number;
  readonly text: string;
}

/** How far a file is on storage, bytes. */
export interface FileProgress {
  /** Relative to the source, `/`-separated. */
  readonly key: string;
  readonly size: number;
  readonly bytesDone: number;
}

/** The files of a job as they stand. */
export interface JobFiles {
  /** In the order in which they are sent: what is being sent comes first. */
  readonly unfinished: readonly FileProgress[];
  /** Those sent last come first. */
  readonly done: readonly FileProgress[];
  /** Of all, whether listed or not. */
  readonly unfinishedCount: number;
  readonly doneCount: number;
}

export interface JobService {
  /** Takes up every unfinished job of the journal. */
  start(): void;
  /** Stops all work, keeping everything needed to go on; resolves when nothing runs any more. */
  stop(): Promise<void>;
  /**
   * Checks the request, writes the job to the journal and starts it when the line is free. Returns its id. `alongside` is called with it in the
   * journal's transaction: when it throws, there is no job.
   */
  add(job: NewJob, alongside?: (jobId: string) => void): string;
  /** How long so many bytes in so many files will take with this account, begun now, as its last uploads went; null while none has shown it. */
  forecast(accountId: string, bytes: number, files: number): Forecast | null;
  /** Newest first. */
  list(): readonly JobSnapshot[];
  get(id: string): JobSnapshot | undefined;
  history(id: string): readonly HistoryEntry[];
  /** How far the files of a job are, for a person to see: some of them. None of a job that is gone. */
  files(id: string): JobFiles;
  /** The files of a job's plan, in no particular order, read bit by bit. None of a job that is gone. */
  sentFiles(id: string): Iterable<SentFile>;
  /** Throws `job-unknown`; an action that the state does not allow does nothing. */
  act(id: string, action: JobAction): Promise<void>;
  /** Unfinished jobs of this account go on (after a sign-in). */
  wake(accountId: string): void;
  /** Called with the id of each job that changed, as often as it changes. Returns an unsubscribe function. */
  onChange(listener: (id: string) => void): () => void;
}
