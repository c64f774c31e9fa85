import type { SourceFile } from '../upload/model.ts';
import type { FilePlan } from '../upload/plan.ts';
import type { StoredPart } from '../upload/storage.ts';
import type { TransferFile } from '../upload/transfer-model.ts';
import type { JobEvent } from './events.ts';
import type { NewJob } from './model.ts';

export interface JobRecord extends NewJob {
  readonly id: string;
  readonly createdAt: number;
}

export interface PlannedFile extends SourceFile {
  readonly plan: FilePlan;
}

/** What storage has confirmed of a job. */
export interface ConfirmedTotals {
  readonly bytes: number;
  readonly parts: number;
}

export interface Confirmation {
  readonly fileId: number;
  /** Null: the whole file. */
  readonly part: StoredPart | null;
}

/**
 * Remembers jobs, files and parts across restarts. Every call is one transaction that is on the disk when it returns, and throws
 * `journal-unusable` when it can't be.
 */
export interface Journal {
  /** Oldest first. */
  jobs(): readonly JobRecord[];
  addJob(job: JobRecord): void;
  /** With everything that belongs to it. */
  removeJob(id: string): void;
  events(jobId: string): readonly JobEvent[];
  append(jobId: string, event: JobEvent): void;
  /** Takes the place of all files the job had. */
  appendScan(jobId: string, event: JobEvent, files: readonly PlannedFile[]): void;
  /** Files that storage does not have whole, with their confirmed parts: a page of them, by id, from after `afterId` (default 0: the first). */
  unfinishedFiles(jobId: string, afterId?: number): readonly TransferFile[];
  totals(jobId: string): ConfirmedTotals;
  /** Multipart uploads that were begun and not completed. */
  openUploads(jobId: string): readonly { readonly key: string; readonly uploadId: string }[];
  uploadBegun(fileId: number, uploadId: string): void;
  confirm(confirmations: readonly Confirmation[]): void;
  dropParts(fileId: number, numbers: readonly number[]): void;
  forgetUpload(fileId: number): void;
  close(): void;
}
