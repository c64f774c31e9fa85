import type { Said } from '../strings/phrase.ts';
import type { ErrorRecord } from './errors.ts';
import type { JobAction, JobStatus, JobWait } from './job-status.ts';

/** Size of a source. */
export interface AmountOfData {
  readonly files: number;
  readonly bytes: number;
}

interface TerrainWait {
  readonly id: number;
  readonly name: string;
  /** 0 to 100. */
  readonly percentComplete: number;
}

/** Most paths per job sent to a view: jobs change ten times a second, and 20,000 paths aren't readable. */
export const maxShownPaths = 50;

/** A job as shown. Times are ms since the epoch, sizes are bytes. */
export interface JobFacts {
  readonly id: string;
  readonly accountId: string;
  readonly status: JobStatus;
  readonly name: string;
  readonly assetType: string;
  readonly sourceType: string;
  readonly paths: readonly string[];
  readonly createdAt: number;
  readonly uploadedAt: number | null;
  /** Duration of an upload that nothing interrupted; waiting for a turn doesn't count. */
  readonly sendingMs?: number;
  readonly endedAt: number | null;
  /** Null until the source has been scanned. */
  readonly fileCount: number | null;
  readonly bytesTotal: number | null;
  /** Acknowledged by storage. */
  readonly bytesDone: number;
  /** Sent according to estimates, not yet acknowledged. */
  readonly bytesOnWire: number;
  /** Null when idle or before the first confirmation. */
  readonly bytesPerSecond: number | null;
  /** Until the upload ends; null if unknown. */
  readonly secondsLeft: number | null;
  readonly partsTotal: number | null;
  readonly partsDone: number;
  readonly partsOnWire: number;
  /** When the storage credentials end; null before there are any and after the upload. */
  readonly credentialsEndAt: number | null;
  readonly partsSentAgain: number;
  /** Current limit of parts in flight; null when idle. */
  readonly concurrency: number | null;
  /** Null if nothing blocks the job. */
  readonly waitingFor: JobWait | null;
  readonly terrain?: TerrainWait;
  readonly assetId: number | null;
  /** The service's own status value. */
  readonly assetStatus: string | null;
  /** 0 to 100. */
  readonly percentComplete: number | null;
  readonly progressMessage: string | null;
  readonly error: ErrorRecord | null;
  /** Next retry; null without trouble. */
  readonly nextTryAt: number | null;
  /** Whether a watched folder created it. */
  readonly byRule: boolean;
  readonly predecessor?: string;
  readonly actions: readonly JobAction[];
  /** Position in the queue; the lowest starts first. */
  readonly place: number;
  /** Whether it hasn't begun or has returned its turn, paused or not. */
  readonly isQueued: boolean;
  /** Found by the inspection before the upload's scan, if any. */
  readonly expected: AmountOfData | null;
}

/** Position in the list of ended jobs, newest first. */
export interface EndedPlace {
  /** Ms since the epoch. */
  readonly createdAt: number;
  readonly row: number;
}

/** Total of ended jobs without replaced ones. */
export interface EndedRest {
  readonly count: number;
  readonly bytes: number;
  /** Included in `count`. */
  readonly failed: number;
}

export const noRest: EndedRest = { count: 0, bytes: 0, failed: 0 };

/** Progress of a file, bytes. */
export interface FileProgress {
  /** Relative to the source, `/`-separated. */
  readonly key: string;
  readonly size: number;
  readonly bytesDone: number;
}

export interface JobFiles {
  /** In sending order. */
  readonly unfinished: readonly FileProgress[];
  /** Newest first. */
  readonly done: readonly FileProgress[];
  /** Including files that aren't listed. */
  readonly unfinishedCount: number;
  readonly doneCount: number;
}

/** A history entry of a job or a watched folder. */
export interface HistoryEntry {
  readonly at: number;
  readonly said: readonly Said[];
}

/** Estimated upload time, compared with the credentials' life. */
export interface Forecast {
  readonly seconds: number;
  /** Average over the upload. */
  readonly bytesPerSecond: number;
  /** Set if the number of files limits the speed, else null. */
  readonly filesPerSecond: number | null;
  /** Share of the credentials' life, 0 to 1 and above. Over 0.8 warns, over 1 asks. */
  readonly shareOfLife: number;
}
