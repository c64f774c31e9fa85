import type { FileProgress, JobFacts, JobFiles } from '../../shared/job.ts';
import type { JobAction, JobStatus } from '../../shared/job-status.ts';
import type { Said } from '../../strings/phrase.ts';
import type { ErrorView } from './error.ts';

export type { FileProgress as FileView, JobAction, JobFiles as JobFilesView, JobStatus };

export interface JobView extends JobFacts {
  /** How many paths there are besides, where these are not all. */
  readonly morePaths?: number;
  readonly error: ErrorView | null;
}

export interface HistoryView {
  readonly at: number;
  readonly said: readonly Said[];
}
