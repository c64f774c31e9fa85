import { hasEnded, jobStatuses, waitsForAnother } from '../../../shared/job-status.ts';
import type { TileliftError } from '../../errors.ts';
import type { JobService, JobSnapshot } from '../../jobs/model.ts';
import { type Clock, systemClock } from '../../outside.ts';
import { type ExitName, exitNameOfJob } from '../exit-codes.ts';
import type { Output } from '../output.ts';
import { progressLine, progressStep } from './progress-line.ts';

export interface FollowOptions {
  /** False: until the service has been told that everything is there. */
  readonly wait: boolean;
  /** How long a job may be in trouble without progress before the command gives up, ms. */
  readonly giveUpMs: number;
  readonly stop: AbortSignal;
  readonly clock?: Clock;
}

/** What became of a job, as far as this run is concerned. `stopped`: by a signal. */
export interface Followed {
  readonly job: JobSnapshot;
  readonly exit: ExitName | 'stopped';
  /** Why nothing more is heard of one that was handed over. */
  readonly lost?: TileliftError;
}

/** What is followed: jobs of this process, or what is heard of one of another. */
export type JobsToFollow = Pick<JobService, 'get' | 'onChange'>;

/** How often it is looked whether to give up, ms. */
const lookMs = 500;
/** Between two JSON lines of progress, ms. */
const progressEveryMs = 1_000;

/**
 * Shows how a job goes until it has earned an exit code: ended, in need of a person, uploaded where nobody
 * waits for more, without an answer for too long, or stopped.
 */
export async function followJob(
  jobs: JobsToFollow,
  id: string,
  output: Output,
  { wait, giveUpMs, stop, clock = systemClock }: FollowOptions,
): Promise<Followed> {
  let told = '';
  let progressAt = Number.NEGATIVE_INFINITY;
  const isStuckFor = createStuckTime(clock);
  const { promise, resolve } = Promise.withResolvers<Followed>();

  function look(): void {
    const job = jobs.get(id);
    if (!job) return;
    show(job);
    const exit = earned(job);
    if (exit !== null) resolve({ job, exit });
  }

  function earned(job: JobSnapshot): Followed['exit'] | null {
    const exit = exitNameOfJob(job);
    if (exit !== null) return exit;
    if (!wait && job.status === 'tiling') return 'complete';
    if (stop.aborted) return 'stopped';
    return isStuckFor(job) >= giveUpMs && isInTrouble(job) ? 'givenUp' : null;
  }

  function show(job: JobSnapshot): void {
    const facts = { jobId: id, status: job.status, waitingFor: job.waitingFor, assetId: job.assetId };
    const state = JSON.stringify([facts, job.assetStatus, job.error?.code]);
    if (state !== told) {
      told = state;
      const error = job.error ? { code: job.error.code } : null;
      output.event({ event: 'state', ...facts, assetStatus: job.assetStatus, error });
    }
    if (hasEnded(job.status)) return;
    const now = clock.elapsed();
    if (now - progressAt >= progressEveryMs) {
      progressAt = now;
      output.event({
        event: 'progress',
        ...{ jobId: id, bytesDone: job.bytesDone, bytesTotal: job.bytesTotal },
        ...{ bytesPerSecond: job.bytesPerSecond, secondsLeft: job.secondsLeft },
        ...{ percentComplete: job.percentComplete, credentialsEndAt: iso(job.credentialsEndAt) },
      });
    }
    output.progress(progressLine(job), progressStep(job));
  }

  const unsubscribe = jobs.onChange((changed) => {
    if (changed === id) look();
  });
  const timer = setInterval(look, lookMs);
  stop.addEventListener('abort', look, { once: true });
  look();
  try {
    return await promise;
  } finally {
    unsubscribe();
    clearInterval(timer);
    stop.removeEventListener('abort', look);
  }
}

/**
 * For how long a job has been in trouble without progress, ms: bytes that storage has acknowledged, a step
 * that it had not reached yet, or an answer of the service that tiles. A job that tries again and fails again
 * has not recovered in between; waiting for its turn or for a terrain takes what it takes and is not counted.
 */
function createStuckTime(clock: Clock): (job: JobSnapshot) => number {
  let stuckMs = 0;
  let hadTrouble = false;
  let lookedAt = clock.elapsed();
  let furthest = [-1, -1];
  return (job) => {
    const now = clock.elapsed();
    const passed = now - lookedAt;
    lookedAt = now;
    const isStuck = isInTrouble(job);
    const reached = [jobStatuses.indexOf(job.status), job.bytesDone];
    const hasProgress = reached.some((value, at) => value > (furthest[at] ?? 0));
    furthest = furthest.map((value, at) => Math.max(value, reached[at] ?? 0));
    if (hasProgress || (job.status === 'tiling' && !isStuck)) {
      stuckMs = 0;
      hadTrouble = isStuck;
    } else if (hadTrouble && (isStuck || !waitsForAnother(job))) stuckMs += passed;
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

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
