/** What a job's row says: which job, how far, in which state, and the one action that fits. */

import type { ErrorView, JobAction, JobStatus, JobView } from '../../preload/contract.ts';
import { formatBytes, formatBytesOf, formatRate } from '../format/bytes.ts';
import { clampFraction, formatCounted, formatPercent } from '../format/number.ts';
import { formatDuration, formatWhen } from '../format/time.ts';
import { kindLabel } from './kinds.ts';
import type { Tone } from './tone.ts';

/** How far: a bar with a line below it, or sentences alone. */
export interface Progress {
  /** 0 to 1; null: no bar. */
  readonly fraction: number | null;
  readonly text: string;
}

export interface RowState {
  readonly word: string;
  readonly tone: Tone;
  /** A second, quieter line; may be empty. */
  readonly detail: string;
}

/** What the button of a row does: an action of the job, or a look at the asset. */
export type RowAction = JobAction | 'copy-id' | 'open-asset';

/** Status values of the service that need no words of their own while a job tiles (contract 3.1). */
const namedTilingStatuses = ['IN_PROGRESS', 'NOT_STARTED', 'AWAITING_FILES'];

const ended: readonly JobStatus[] = ['complete', 'data-error', 'error', 'failed', 'expired', 'cancelled'];

export function isEnded(status: JobStatus): boolean {
  return ended.includes(status);
}

/** Working at this moment: neither waiting for anything nor at an end. */
export function isUnderWay({ status, waitingFor }: Pick<JobView, 'status' | 'waitingFor'>): boolean {
  return !isEnded(status) && status !== 'paused' && status !== 'queued' && waitingFor === null;
}

/** `Photogrammetry · 1,284 files · 18.6 GB`. */
export function describeSource(job: JobView): string {
  const parts = [kindLabel(job.sourceType)];
  if (job.fileCount !== null) parts.push(formatCounted(job.fileCount, 'file'));
  if (job.bytesTotal !== null) parts.push(formatBytes(job.bytesTotal));
  return parts.join(' · ');
}

/** The share of the upload that storage has confirmed, 0 to 1. */
export function uploadFraction(job: JobView): number {
  if (job.bytesTotal === null) return 0;
  if (job.bytesTotal === 0) return job.uploadedAt === null ? 0 : 1;
  return clampFraction(job.bytesDone / job.bytesTotal);
}

function uploadedSoFar(job: JobView): string {
  return job.bytesTotal === null ? formatBytes(job.bytesDone) : formatBytesOf(job.bytesDone, job.bytesTotal);
}

/** Our words and, after a colon, the remote side's own, which name the thing. */
function errorLine(error: ErrorView): string {
  const remote = error.remote?.message;
  return remote === undefined || remote === ''
    ? error.message
    : `${error.message.replace(/\.$/, '')}: ${remote}`;
}

function endedProgress(job: JobView): string {
  if (job.error) return errorLine(job.error);
  if (job.bytesTotal === null || job.bytesDone === 0) return 'Nothing was uploaded';
  return `${uploadedSoFar(job)} came through`;
}

function completeProgress(job: JobView): string {
  if (job.uploadedAt === null || job.endedAt === null) return 'Uploaded and tiled';
  const uploaded = formatDuration(job.uploadedAt - job.createdAt);
  return `Uploaded in ${uploaded} · tiled in ${formatDuration(job.endedAt - job.uploadedAt)}`;
}

/** @param now ms since the epoch */
export function describeProgress(job: JobView, now: number): Progress {
  switch (job.status) {
    case 'queued':
      return { fraction: null, text: job.error?.message ?? 'Starts when the line is free' };
    case 'creating':
      return { fraction: null, text: job.error?.message ?? creatingText(job) };
    case 'uploading': {
      if (job.waitingFor !== null) {
        return { fraction: uploadFraction(job), text: `${uploadedSoFar(job)} kept on storage` };
      }
      const rate = job.bytesPerSecond === null ? '' : ` · ${formatRate(job.bytesPerSecond)}`;
      return { fraction: uploadFraction(job), text: job.error?.message ?? `${uploadedSoFar(job)}${rate}` };
    }
    case 'completing':
      return { fraction: 1, text: job.error?.message ?? 'All bytes confirmed by storage' };
    case 'tiling': {
      const uploaded = job.uploadedAt === null ? 'Uploaded' : `Uploaded ${formatWhen(job.uploadedAt, now)}`;
      return {
        fraction: clampFraction((job.percentComplete ?? 0) / 100),
        text: job.error?.message ?? `${uploaded}, all bytes confirmed`,
      };
    }
    case 'paused':
      return { fraction: uploadFraction(job), text: `${uploadedSoFar(job)} kept on storage` };
    case 'complete':
      return { fraction: null, text: completeProgress(job) };
    case 'expired':
      return { fraction: uploadFraction(job), text: `${uploadedSoFar(job)} came through in time` };
    case 'data-error':
    case 'error':
    case 'failed':
    case 'cancelled':
      return { fraction: null, text: endedProgress(job) };
  }
}

function creatingText(job: JobView): string {
  if (job.waitingFor === 'line') return 'Starts when the line is free';
  return job.fileCount === null ? 'Looking through the files' : 'Asking the service for a place';
}

function tilingState(job: JobView): RowState {
  const percent = formatPercent((job.percentComplete ?? 0) / 100);
  const status = job.assetStatus;
  if (status !== null && !namedTilingStatuses.includes(status)) {
    const message = job.progressMessage === null ? '' : ` · ${job.progressMessage}`;
    return { word: status, tone: 'tiling', detail: `${percent}${message}` };
  }
  if (status === 'IN_PROGRESS') {
    return { word: `Tiling · ${percent}`, tone: 'tiling', detail: job.progressMessage ?? assetDetail(job) };
  }
  return { word: 'Tiling', tone: 'tiling', detail: job.progressMessage ?? 'the service gets ready' };
}

function assetDetail(job: JobView): string {
  return job.assetId === null ? '' : `asset ${job.assetId}`;
}

/** `credentials end in 22 min`; empty when the job holds none. */
function credentialsDetail(job: JobView, now: number): string {
  if (job.credentialsEndAt === null) return '';
  if (job.credentialsEndAt <= now) return 'credentials have ended';
  return `credentials end in ${formatDuration(job.credentialsEndAt - now)}`;
}

function uploadingDetail(job: JobView, now: number): string {
  if (job.error) return 'tries again by itself';
  if (job.secondsLeft === null) return 'time left not known yet';
  const left = `${formatDuration(job.secondsLeft * 1000)} left`;
  return outlivesCredentials(job, now) ? `${left} · ${credentialsDetail(job, now)}` : left;
}

/** The upload needs longer than its storage credentials still live. */
export function outlivesCredentials(job: JobView, now: number): boolean {
  if (job.credentialsEndAt === null || job.secondsLeft === null) return false;
  return now + job.secondsLeft * 1000 > job.credentialsEndAt;
}

/** A job that could go on and does not; null for one that does. */
function waitingState(job: JobView, now: number): RowState | null {
  const percent = job.status === 'uploading' ? ` · ${formatPercent(uploadFraction(job))}` : '';
  switch (job.waitingFor) {
    case 'line':
      if (job.status === 'queued') return null;
      return { word: `Waits its turn${percent}`, tone: 'waiting', detail: credentialsDetail(job, now) };
    case 'network':
      return { word: `Offline${percent}`, tone: 'waiting', detail: 'goes on when the network is back' };
    case 'sign-in':
      return { word: `Waits for sign-in${percent}`, tone: 'waiting', detail: 'goes on after it' };
    case 'confirmation':
      return { word: 'Waits for your word', tone: 'waiting', detail: 'no asset made yet' };
    case null:
      return null;
  }
}

/** @param now ms since the epoch */
export function describeState(job: JobView, now: number): RowState {
  const endedWhen = job.endedAt === null ? '' : formatWhen(job.endedAt, now);
  const waiting = waitingState(job, now);
  if (waiting) return waiting;
  switch (job.status) {
    case 'queued':
      return { word: 'Queued', tone: 'neutral', detail: `since ${formatWhen(job.createdAt, now)}` };
    case 'creating':
      return { word: 'Preparing', tone: 'accent', detail: '' };
    case 'uploading':
      return {
        word: `Uploading · ${formatPercent(uploadFraction(job))}`,
        tone: job.error || outlivesCredentials(job, now) ? 'waiting' : 'accent',
        detail: uploadingDetail(job, now),
      };
    case 'completing':
      return { word: 'Finishing', tone: 'accent', detail: 'tells the service that all is there' };
    case 'tiling':
      return tilingState(job);
    case 'paused':
      return { word: 'Paused by you', tone: 'waiting', detail: credentialsDetail(job, now) };
    case 'complete':
      return { word: 'Complete', tone: 'complete', detail: assetDetail(job) };
    case 'data-error':
      return { word: 'Data error', tone: 'error', detail: endedWhen };
    case 'error':
      return { word: 'Tiling failed', tone: 'error', detail: endedWhen };
    case 'failed':
      return { word: 'Failed', tone: 'error', detail: endedWhen };
    case 'expired':
      return { word: 'Credentials expired', tone: 'error', detail: endedWhen };
    case 'cancelled':
      return { word: 'Cancelled', tone: 'neutral', detail: endedWhen };
  }
}

export const actionWords: Record<RowAction, string> = {
  confirm: 'Go ahead',
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel…',
  'try-again': 'Try again',
  'start-again': 'Start again',
  remove: 'Remove from list',
  'copy-id': 'Copy id',
  'open-asset': 'Open',
};

/** Which action a row offers first, by state; what the state does not allow is passed over. */
const preferred: readonly RowAction[] = [
  'confirm',
  'resume',
  'try-again',
  'start-again',
  'pause',
  'copy-id',
  'open-asset',
  'remove',
  'cancel',
];

/** The action that fits, for the row itself, and the rest, for its menu. Never more than main allows. */
export function rowActions(job: JobView): {
  readonly first: RowAction | null;
  readonly rest: readonly RowAction[];
} {
  const looks: readonly RowAction[] = job.assetId === null ? [] : ['copy-id', 'open-asset'];
  const all: readonly RowAction[] = [...looks, ...job.actions];
  const order =
    job.status === 'complete'
      ? (['copy-id'] as const)
      : job.status === 'tiling'
        ? (['open-asset'] as const)
        : preferred;
  const first = [...order, ...preferred].find((action) => all.includes(action)) ?? null;
  return { first, rest: all.filter((action) => action !== first) };
}

/** `3 under way · 41.8 MB/s`, or what else the list has to say in one line. */
export function summarize(jobs: readonly JobView[]): string {
  const underWay = jobs.filter(isUnderWay);
  const rate = underWay.reduce((sum, job) => sum + (job.bytesPerSecond ?? 0), 0);
  const queued = jobs.filter((job) => job.status === 'queued').length;
  const waiting = jobs.filter((job) => job.waitingFor !== null && job.status !== 'queued').length;
  const parts: string[] = [];
  if (underWay.length > 0) parts.push(`${underWay.length} under way`);
  if (queued > 0) parts.push(`${queued} queued`);
  if (waiting > 0) parts.push(`${waiting} waiting`);
  if (rate > 0) parts.push(formatRate(rate));
  if (parts.length > 0) return parts.join(' · ');
  return jobs.length === 0 ? '' : formatCounted(jobs.length, 'upload');
}

/** Spoken when a job changes its state; percents are never spoken. */
export function announce(job: JobView, now: number): string {
  const word = describeState(job, now).word.split(' · ')[0] ?? '';
  return `${job.name}: ${word}${job.error && isEnded(job.status) ? `. ${job.error.message}` : ''}`;
}
