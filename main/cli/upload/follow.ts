import { hasEnded, jobStatuses, waitsForAnother } from '../../../shared/job-status.ts';
import type { TileliftError } from '../../errors.ts';
import type { JobService, JobSnapshot } from '../../jobs/model.ts';
import { type Clock, systemClock } from '../../ports.ts';
import { type ExitName, exitNameOfJob } from '../exit-codes.ts';
import { isoTime, type Output } from '../output.ts';
import { progressLine, progressStep } from './progress-line.ts';

export interface FollowOptions {
  /** False: only until the upload is complete. */
  readonly wait: boolean;
  /** How long a job may fail without progress, ms. */
  readonly giveUpMs: number;
  readonly stop: AbortSignal;
  readonly clock?: Clock;
}

export interface FollowResult {
  readonly job: JobSnapshot;
  readonly exit: ExitName | 'stopped';
  readonly connectionError?: TileliftError;
}

/** Jobs of this process, or a job of another one. */
export type JobsToFollow = Pick<JobService, 'get' | 'onChange'>;

const checkIntervalMs = 500;
const progressEveryMs = 1_000;

/**
 * Shows progress until the job ends, needs the user, is uploaded (without `wait`), fails for too long, or is
 * stopped.
 */
export async function followJob(
  jobs: JobsToFollow,
  id: string,
  output: Output,
  { wait, giveUpMs, stop, clock = systemClock }: FollowOptions,
): Promise<FollowResult> {
  let emittedState = '';
  let progressAt = Number.NEGATIVE_INFINITY;
  const isStuckFor = createStuckTime(clock);
  const { promise, resolve } = Promise.withResolvers<FollowResult>();

  function check(): void {
    const job = jobs.get(id);
    if (!job) return;
    show(job);
    const exit = exitOf(job);
    if (exit !== null) resolve({ job, exit });
  }

  function exitOf(job: JobSnapshot): FollowResult['exit'] | null {
    const exit = exitNameOfJob(job);
    if (exit !== null) return exit;
    if (!wait && job.status === 'tiling') return 'complete';
    if (stop.aborted) return 'stopped';
    return isStuckFor(job) >= giveUpMs && isInTrouble(job) ? 'givenUp' : null;
  }

  function show(job: JobSnapshot): void {
    const facts = { jobId: id, status: job.status, waitingFor: job.waitingFor, assetId: job.assetId };
    const state = JSON.stringify([facts, job.assetStatus, job.error?.code]);
    if (state !== emittedState) {
      emittedState = state;
      const error = job.error ? { code: job.error.code } : null;
      output.event({ event: 'state', ...facts, assetStatus: job.assetStatus, error });
    }
    if (hasEnded(job.status)) return;
    const nowMs = clock.elapsed();
    if (nowMs - progressAt >= progressEveryMs) {
      progressAt = nowMs;
      output.event({
        event: 'progress',
        ...{ jobId: id, bytesDone: job.bytesDone, bytesTotal: job.bytesTotal },
        ...{ bytesPerSecond: job.bytesPerSecond, secondsLeft: job.secondsLeft },
        ...{ percentComplete: job.percentComplete, credentialsEndAt: isoTime(job.credentialsEndAt) },
      });
    }
    output.progress(progressLine(job), progressStep(job));
  }

  const unsubscribe = jobs.onChange((changedId) => {
    if (changedId === id) check();
  });
  const timer = setInterval(check, checkIntervalMs);
  stop.addEventListener('abort', check, { once: true });
  check();
  try {
    return await promise;
  } finally {
    unsubscribe();
    clearInterval(timer);
    stop.removeEventListener('abort', check);
  }
}

/**
 * Counts time without acknowledged bytes, a further step or a tiling status. Waiting for a turn or a terrain
 * doesn't count.
 */
function createStuckTime(clock: Clock): (job: JobSnapshot) => number {
  let stuckMs = 0;
  let hadTrouble = false;
  let checkedAt = clock.elapsed();
  let furthest = [-1, -1];
  return (job) => {
    const nowMs = clock.elapsed();
    const elapsedMs = nowMs - checkedAt;
    checkedAt = nowMs;
    const isStuck = isInTrouble(job);
    const progressMarks = [jobStatuses.indexOf(job.status), job.bytesDone];
    const hasProgress = progressMarks.some((value, index) => value > (furthest[index] ?? 0));
    furthest = furthest.map((value, index) => Math.max(value, progressMarks[index] ?? 0));
    if (hasProgress || (job.status === 'tiling' && !isStuck)) {
      stuckMs = 0;
      hadTrouble = isStuck;
    } else if (hadTrouble && (isStuck || !waitsForAnother(job))) stuckMs += elapsedMs;
    hadTrouble ||= isStuck;
    return stuckMs;
  };
}

function isInTrouble(job: JobSnapshot): boolean {
  return (
    job.waitingFor === 'network' ||
    job.waitingFor === 'source' ||
    job.nextTryAt !== null ||
    job.error !== null
  );
}
