import type { Said } from '../strings/phrase.ts';
import type { AssetType } from './assets.ts';
import type { ErrorRecord } from './errors.ts';
import type { JobAction, JobStatus, JobWait } from './job-status.ts';

/** How much there is of a source. */
export interface Amount {
  readonly files: number;
  readonly bytes: number;
}

/** A terrain that is not tiled yet. */
interface TerrainWait {
  readonly id: number;
  readonly name: string;
  /** 0 to 100. */
  readonly percentComplete: number;
}

/**
 * Paths of one job that whoever shows it gets: of 20,000 files that arrived together nobody reads more, and
 * every change of a job is told ten times a second.
 */
export const maxShownPaths = 50;

/** A job as whoever shows it sees it. Times are ms since the epoch, sizes are bytes. */
export interface JobFacts {
  readonly id: string;
  /** Of the account that its asset is made with. */
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
  /** Acknowledged by storage. */
  readonly bytesDone: number;
  /** Sent and through, as far as can be told, not yet acknowledged. */
  readonly bytesOnWire: number;
  /** By the last confirmations; null while nothing is being sent, or nothing was confirmed yet. */
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
  /** Why a job that could continue does not; null when it does. */
  readonly waitingFor: JobWait | null;
  /** The base terrain that it waits for; absent where it waits for none. */
  readonly terrain?: TerrainWait;
  readonly assetId: number | null;
  /** The service's own word for the asset's status. */
  readonly assetStatus: string | null;
  /** Tiling progress, 0 to 100. */
  readonly percentComplete: number | null;
  readonly progressMessage: string | null;
  readonly error: ErrorRecord | null;
  /** When what is in trouble is tried again; null where nothing is. */
  readonly nextTryAt: number | null;
  /** A watched folder's, not begun by a person. */
  readonly byRule: boolean;
  /** Id of the job that it takes the place of; absent for none. */
  readonly predecessor?: string;
  readonly actions: readonly JobAction[];
  /** Its place among those that wait; a lower one starts first. */
  readonly place: number;
  /** It has not begun, or gave its turn away: it stands in the queue, paused or not. */
  readonly isQueued: boolean;
  /** What was found in the source before it was scanned for the upload; null where nobody has looked. */
  readonly expected: Amount | null;
}

/** Where in the list of ended jobs, newest first, one stands. */
export interface EndedPlace {
  /** Ms since the epoch. */
  readonly createdAt: number;
  readonly row: number;
}

/** How much there is of ended jobs, those that others took the place of left out. */
export interface EndedRest {
  readonly count: number;
  /** Of all of them, as far as it is known. */
  readonly bytes: number;
}

/** How far a file is in storage, bytes. */
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

/** One entry of the history of a job or a watched folder. */
export interface HistoryEntry {
  readonly at: number;
  readonly said: readonly Said[];
}

/** How long an upload will take, compared with the life of its storage credentials. */
export interface Forecast {
  readonly seconds: number;
  /** Over the whole upload. */
  readonly bytesPerSecond: number;
  /** Where the number of files takes longer than their bytes; else null. */
  readonly filesPerSecond: number | null;
  /** Share of the credential life, 1 for all of it. Over 0.8 warns, over 1 asks. */
  readonly shareOfLife: number;
}
