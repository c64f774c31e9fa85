import type { ErrorRecord, JobView } from '../../preload/contract.ts';
import { noRest } from '../../shared/job.ts';
import { hasEnded, hasFailed } from '../../shared/job-status.ts';
import { partOf, queueSecondsLeft } from '../../shared/queue.ts';
import { clampFraction } from '../../strings/format/number.ts';
import {
  errorMessage,
  formatBytes,
  formatBytesOf,
  formatDuration,
  formatFacts,
  formatPercent,
  formatRate,
  formatWhen,
  say,
} from '../say.ts';
import { kindLabel } from './kinds.ts';
import type { Tone } from './tone.ts';

/** Progress as a bar with a line below it, or sentences only. */
interface Progress {
  /** 0 to 1; null: no bar. */
  readonly fraction: number | null;
  /** Fainter progress, 0 to 1: sent but unconfirmed, or the whole upload. */
  readonly reached?: number;
  readonly text: string;
}

interface RowState {
  /** Includes a figure if there is one. */
  readonly word: string;
  /** Without figures. */
  readonly state: string;
  readonly tone: Tone;
  readonly detail: string;
}

/** Statuses of the service that need no text while a job tiles (contract 3.1). */
const namedTilingStatuses = ['IN_PROGRESS', 'NOT_STARTED', 'AWAITING_FILES'];

/** True if the job runs: neither waiting nor ended. */
export function isWorking({ status, waitingFor }: Pick<JobView, 'status' | 'waitingFor'>): boolean {
  return !hasEnded(status) && status !== 'paused' && status !== 'queued' && waitingFor === null;
}

/** `Photogrammetry · 1,284 files · 18.6 GB`. */
export function describeSource(job: JobView): string {
  return formatFacts([kindLabel(job.sourceType), describeAmount(job)]);
}

/** `1,284 files · 18.6 GB`; empty before files were counted. */
export function describeAmount(job: JobView): string {
  const parts: string[] = [];
  const count = job.fileCount ?? job.expected?.files ?? null;
  const bytes = job.bytesTotal ?? job.expected?.bytes ?? null;
  if (count !== null) parts.push(say('units.files', { count }));
  // The queue shows the amount next to the turn.
  if (bytes !== null && (job.bytesTotal !== null || !job.isQueued)) parts.push(formatBytes(bytes));
  return formatFacts(parts);
}

/** `3rd · 12.4 GB`: queue position from 1, and amount. */
export function describeTurn(job: JobView, queuePosition: number): string {
  const bytes = job.bytesTotal ?? job.expected?.bytes ?? null;
  if (bytes === null) return say('queue.turn', { turn: queuePosition });
  return say('queue.turnAndSize', { turn: queuePosition, size: formatBytes(bytes) });
}

/** Share of the upload that storage has confirmed, 0 to 1. */
function uploadFraction(job: JobView): number {
  if (job.bytesTotal === null) return 0;
  if (job.bytesTotal === 0) return job.uploadedAt === null ? 0 : 1;
  return clampFraction(job.bytesDone / job.bytesTotal);
}

function sentFraction(job: JobView): number {
  return job.bytesTotal ? clampFraction((job.bytesDone + job.bytesOnWire) / job.bytesTotal) : 0;
}

function uploadedSoFar(job: JobView): string {
  return job.bytesTotal === null ? formatBytes(job.bytesDone) : formatBytesOf(job.bytesDone, job.bytesTotal);
}

/** The remote message, which says more, then ours. */
function errorLine(error: ErrorRecord): string {
  const remote = error.remote?.message;
  if (remote === undefined || remote === '') return errorMessage(error);
  return say('job.progress.remoteFirst', { why: errorMessage(error), remote });
}

function endedProgress(job: JobView): string {
  if (job.error) return errorLine(job.error);
  if (job.bytesTotal === null || job.bytesDone === 0) return say('job.progress.nothing');
  return say('job.progress.through', { size: uploadedSoFar(job) });
}

/** Polling interval of tiling, seconds (contract part 8). */
const pollSeconds = 10;

function underSeconds(seconds: number): string {
  return say('job.progress.under', { time: formatDuration(seconds * 1_000) });
}

function completeProgress(job: JobView): string {
  if (job.uploadedAt === null || job.endedAt === null) return say('job.progress.complete');
  const tilingMs = job.endedAt - job.uploadedAt;
  // Polls detect the end, so durations below two intervals are unreliable.
  const tiling =
    tilingMs < 2 * pollSeconds * 1_000 ? underSeconds(2 * pollSeconds) : formatDuration(tilingMs);
  const { sendingMs } = job;
  if (sendingMs === undefined) return say('job.progress.tiledIn', { tiling });
  const sendingTime = sendingMs < 1_000 ? underSeconds(1) : formatDuration(sendingMs);
  return say('job.progress.completeIn', { uploading: sendingTime, tiling });
}

/** @param nowMs ms since the epoch */
export function describeProgress(job: JobView, nowMs: number): Progress {
  switch (job.status) {
    case 'queued':
      return { fraction: null, text: job.error ? errorMessage(job.error) : queuedText(job) };
    case 'creating':
      return { fraction: null, text: job.error ? errorMessage(job.error) : creatingText(job) };
    case 'uploading': {
      if (job.waitingFor !== null) return { fraction: uploadFraction(job), text: keptText(job) };
      const rate = job.bytesPerSecond === null ? null : formatRate(job.bytesPerSecond);
      return {
        fraction: uploadFraction(job),
        reached: sentFraction(job),
        text: job.error ? errorMessage(job.error) : formatFacts([uploadedSoFar(job), rate]),
      };
    }
    case 'completing':
      return { fraction: 1, text: job.error ? errorMessage(job.error) : say('job.progress.confirmed') };
    case 'tiling': {
      const uploadedAmount =
        job.uploadedAt === null
          ? say('job.progress.uploaded')
          : say('job.progress.uploadedAt', { when: formatWhen(job.uploadedAt, nowMs) });
      return {
        fraction: clampFraction((job.percentComplete ?? 0) / 100),
        reached: 1,
        text: job.error ? errorMessage(job.error) : uploadedAmount,
      };
    }
    case 'paused':
      return { fraction: uploadFraction(job), text: keptText(job) };
    case 'complete':
      return { fraction: null, text: completeProgress(job) };
    case 'expired':
      return {
        fraction: uploadFraction(job),
        text: say('job.progress.inTime', { size: uploadedSoFar(job) }),
      };
    case 'data-error':
    case 'error':
    case 'failed':
    case 'cancelled':
      return { fraction: null, text: endedProgress(job) };
  }
}

function keptText(job: JobView): string {
  if (job.bytesDone === 0) return say('job.progress.notBegun');
  return say('job.progress.kept', { size: uploadedSoFar(job) });
}

function queuedText({ terrain }: JobView): string {
  if (!terrain) return say('job.progress.lineBusy');
  return say('job.progress.terrain', {
    name: terrain.name,
    percent: formatPercent(terrain.percentComplete / 100),
  });
}

function creatingText(job: JobView): string {
  if (job.waitingFor === 'turn') return say('job.progress.lineBusy');
  return say(job.fileCount === null ? 'job.progress.looking' : 'job.progress.asking');
}

/** Mentions retries, since the error's sentence is next to it. */
function underWay(job: JobView, nowMs: number, detail: string): Pick<RowState, 'tone' | 'detail'> {
  return job.error ? { tone: 'waiting', detail: nextTry(job, nowMs) } : { tone: 'accent', detail };
}

/** `next try in 12 s`. */
function nextTry({ nextTryAt }: JobView, nowMs: number): string {
  if (nextTryAt === null) return say('job.detail.triesAgain');
  const ms = nextTryAt - nowMs;
  return ms > 0 ? say('job.detail.nextTry', { left: formatDuration(ms) }) : say('job.detail.triesNow');
}

const unansweredTexts = {
  'storage-unreachable': 'job.status.noStorage',
  'service-unreachable': 'job.status.noService',
  'proxy-unreachable': 'job.status.noProxy',
} as const;

/** Names the side that doesn't answer, and the next try. */
function unansweredState(job: JobView, nowMs: number, isOnline: boolean): Pick<RowState, 'state' | 'detail'> {
  const { error } = job;
  const entry = Object.entries(unansweredTexts).find(([code]) => code === error?.code);
  if (!isOnline || !entry)
    return { state: say('job.status.offline'), detail: say('job.detail.afterNetwork') };
  const host = typeof error?.subject === 'string' ? error.subject : '';
  return { state: say(entry[1]), detail: formatFacts([host, nextTry(job, nowMs)]) };
}

function tilingState(job: JobView, nowMs: number): StateWords {
  if (job.error) return { state: say('job.status.tiling'), tone: 'waiting', detail: nextTry(job, nowMs) };
  const percent = formatPercent((job.percentComplete ?? 0) / 100);
  const status = job.assetStatus;
  if (status !== null && !namedTilingStatuses.includes(status)) {
    return { state: status, tone: 'tiling', detail: formatFacts([percent, job.progressMessage]) };
  }
  if (status === 'IN_PROGRESS') {
    return {
      state: say('job.status.tiling'),
      figure: percent,
      tone: 'tiling',
      detail: job.progressMessage ?? assetDetail(job),
    };
  }
  return {
    state: say('job.status.tiling'),
    tone: 'tiling',
    detail: job.progressMessage ?? say('job.detail.gettingReady'),
  };
}

function assetDetail(job: JobView): string {
  return job.assetId === null ? '' : say('job.detail.asset', { id: job.assetId });
}

/** `credentials end in 22 min`; empty if the job holds none. */
function credentialsDetail(job: JobView, nowMs: number): string {
  if (job.credentialsEndAt === null) return '';
  if (job.credentialsEndAt <= nowMs) return say('job.detail.credentialsEnded');
  return say('job.detail.credentialsEnd', { left: formatDuration(job.credentialsEndAt - nowMs) });
}

function uploadingDetail(job: JobView, nowMs: number): string {
  if (job.error) return nextTry(job, nowMs);
  if (job.secondsLeft === null) return say('job.detail.leftUnknown');
  const timeLeft = say('job.detail.left', { left: formatDuration(job.secondsLeft * 1000) });
  return formatFacts([timeLeft, outlivesCredentials(job, nowMs) ? credentialsDetail(job, nowMs) : null]);
}

/** True if the upload takes longer than its storage credentials live. */
export function outlivesCredentials(job: JobView, nowMs: number): boolean {
  if (job.credentialsEndAt === null || job.secondsLeft === null) return false;
  return nowMs + job.secondsLeft * 1000 > job.credentialsEndAt;
}

/** State of a job that could continue but waits; null if it runs. */
function waitingState(job: JobView, nowMs: number, isOnline: boolean): StateWords | null {
  const figure = job.status === 'uploading' ? formatPercent(uploadFraction(job)) : undefined;
  switch (job.waitingFor) {
    case 'turn':
      if (job.status === 'queued') return null;
      return {
        state: say('job.status.waitsTurn'),
        figure,
        tone: 'waiting',
        detail: credentialsDetail(job, nowMs),
      };
    case 'network':
      return { ...unansweredState(job, nowMs, isOnline), figure, tone: 'waiting' };
    case 'sign-in':
      return {
        state: say('job.status.waitsSignIn'),
        figure,
        tone: 'waiting',
        detail: say(job.status === 'queued' ? 'job.detail.startsAfterSignIn' : 'job.detail.afterSignIn'),
      };
    case 'source':
      return {
        state: say('job.status.waitsSource'),
        figure,
        tone: 'waiting',
        detail: formatFacts([say('job.detail.afterSource'), credentialsDetail(job, nowMs)]),
      };
    case 'terrain':
      return {
        state: say('job.status.waitsTerrain'),
        tone: 'waiting',
        detail: say('job.detail.afterTerrain'),
      };
    case 'confirmation':
      return { state: say('job.status.waitsWord'), tone: 'waiting', detail: say('job.detail.noAssetYet') };
    case null:
      return null;
  }
}

/**
 * @param nowMs ms since the epoch
 * @param isOnline whether this computer has a network
 */
export function describeState(job: JobView, nowMs: number, isOnline = true): RowState {
  const { figure, ...words } = stateOf(job, nowMs, isOnline);
  return { ...words, word: formatFacts([words.state, figure]) };
}

/** A state before figures are added to its word. */
type StateWords = Omit<RowState, 'word'> & { readonly figure?: string | undefined };

function stateOf(job: JobView, nowMs: number, isOnline: boolean): StateWords {
  const endedWhen = job.endedAt === null ? '' : formatWhen(job.endedAt, nowMs);
  const waitState = waitingState(job, nowMs, isOnline);
  if (waitState) return waitState;
  switch (job.status) {
    case 'queued':
      return {
        state: say('job.status.queued'),
        tone: 'neutral',
        detail: say('job.detail.since', { when: formatWhen(job.createdAt, nowMs) }),
      };
    case 'creating':
      return { state: say('job.status.preparing'), ...underWay(job, nowMs, '') };
    case 'uploading':
      return {
        state: say('job.status.uploading'),
        figure: formatPercent(uploadFraction(job)),
        tone: job.error || outlivesCredentials(job, nowMs) ? 'waiting' : 'accent',
        detail: uploadingDetail(job, nowMs),
      };
    case 'completing':
      return { state: say('job.status.finishing'), ...underWay(job, nowMs, say('job.detail.finishing')) };
    case 'tiling':
      return tilingState(job, nowMs);
    case 'paused':
      return { state: say('job.status.paused'), tone: 'waiting', detail: credentialsDetail(job, nowMs) };
    case 'complete':
      return { state: say('job.status.complete'), tone: 'complete', detail: assetDetail(job) };
    case 'data-error':
      return { state: say('job.status.dataError'), tone: 'error', detail: endedWhen };
    case 'error':
      return { state: say('job.status.tilingFailed'), tone: 'error', detail: endedWhen };
    case 'failed':
      return { state: say('job.status.failed'), tone: 'error', detail: endedWhen };
    case 'expired':
      return { state: say('job.status.expired'), tone: 'error', detail: endedWhen };
    case 'cancelled':
      return { state: say('job.status.cancelled'), tone: 'neutral', detail: endedWhen };
  }
}

/**
 * `3 under way (1 waiting) · 41.8 MB/s · 2 queued`: the list's summary, with the numbers of its sections.
 * `more`: ended jobs that aren't loaded.
 */
export function summarize(jobs: readonly JobView[], unloaded = noRest): string {
  const jobsUnderWay = jobs.filter((job) => partOf(job) === 'under-way');
  const queued = jobs.filter((job) => partOf(job) === 'queued').length;
  const waitingCount = jobsUnderWay.filter((job) => !isWorking(job)).length;
  const rate = jobsUnderWay.reduce((sum, job) => sum + (job.bytesPerSecond ?? 0), 0);
  const parts: string[] = [];
  const { length: count } = jobsUnderWay;
  const isPaused = jobsUnderWay.every(({ status }) => status === 'paused');
  if (count > 0)
    parts.push(isPaused ? say('uploads.summary.paused', { count }) : underWayWords(count, waitingCount));
  if (rate > 0) parts.push(formatRate(rate));
  const secondsLeft = queueSecondsLeft(jobs);
  if (secondsLeft !== null) parts.push(say('job.detail.left', { left: formatDuration(secondsLeft * 1000) }));
  if (queued > 0) parts.push(say('uploads.summary.queued', { count: queued }));
  const total = jobs.length + unloaded.count;
  if (parts.length === 0 && total > 0) parts.push(say('units.uploads', { count: total }));
  const failedCount = jobs.filter(({ status }) => hasFailed(status)).length + unloaded.failed;
  if (failedCount > 0) parts.push(say('uploads.summary.failed', { count: failedCount }));
  return formatFacts(parts.map(unbroken));
}

/** Keeps a fact on one line. */
export const unbroken = (fact: string): string => fact.replaceAll(' ', '\u00a0');

function underWayWords(count: number, waitingCount: number): string {
  if (waitingCount === 0) return say('uploads.summary.underWay', { count });
  return say('uploads.summary.someWaiting', { count, waiting: waitingCount });
}

/** Announcement of a job's new state, without percentages. */
export function announce(job: JobView, nowMs: number): string {
  const values = { name: job.name, state: describeState(job, nowMs).state };
  return job.error && hasEnded(job.status)
    ? say('job.announce.failed', { ...values, why: errorMessage(job.error) })
    : say('job.announce.state', values);
}
