import type { AssetType } from '../../shared/assets.ts';
import type { JobAction, JobStatus, JobWait } from '../../shared/job-status.ts';
import type { ErrorView } from './error.ts';

export type { JobAction, JobStatus };

export interface JobView {
  readonly id: string;
  readonly status: JobStatus;
  readonly name: string;
  readonly assetType: AssetType;
  readonly sourceType: string;
  readonly paths: readonly string[];
  /** How many there are besides, where these are not all. */
  readonly morePaths?: number;
  readonly createdAt: number;
  readonly uploadedAt: number | null;
  readonly endedAt: number | null;
  readonly fileCount: number | null;
  readonly bytesTotal: number | null;
  /** Acknowledged by storage. */
  readonly bytesDone: number;
  readonly bytesOnWire: number;
  readonly bytesPerSecond: number | null;
  readonly secondsLeft: number | null;
  readonly partsTotal: number | null;
  readonly partsDone: number;
  readonly partsOnWire: number;
  readonly credentialsEndAt: number | null;
  /** Parts that had to be sent more than once. */
  readonly partsSentAgain: number;
  /** Parts that may be in flight at once, as the engine sees fit now; null while nothing is being sent. */
  readonly concurrency: number | null;
  /** Why a job that could go on does not; null when it does. */
  readonly waitingFor: JobWait | null;
  readonly assetId: number | null;
  /** The service's own word. */
  readonly assetStatus: string | null;
  readonly percentComplete: number | null;
  readonly progressMessage: string | null;
  readonly error: ErrorView | null;
  readonly actions: readonly JobAction[];
}

export interface HistoryView {
  readonly at: number;
  readonly text: string;
}

/** How far a file is on storage, bytes. */
export interface FileView {
  /** Relative to the source, `/`-separated. */
  readonly key: string;
  readonly size: number;
  readonly bytesDone: number;
}

export interface JobFilesView {
  /** In the order in which they are sent: what is being sent comes first. */
  readonly unfinished: readonly FileView[];
  /** Those sent last come first. */
  readonly done: readonly FileView[];
  /** Of all, whether listed or not. */
  readonly unfinishedCount: number;
  readonly doneCount: number;
}
