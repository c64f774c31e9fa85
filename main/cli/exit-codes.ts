import { errorFactsOf } from '../../shared/errors.ts';
import type { ErrorCode } from '../errors.ts';
import type { JobSnapshot } from '../jobs/model.ts';

/** See docs/cli.md and the man page. */
export const exitCodes = {
  complete: 0,
  /** An unexpected failure of the command itself. */
  internal: 1,
  badInput: 2,
  signIn: 3,
  dataError: 4,
  tilingError: 5,
  expired: 6,
  givenUp: 7,
  heldForPerson: 8,
  /** The asset was created, but the service offers no storage that Tilelift can use. */
  serviceUnusable: 9,
  /** Stopped by SIGINT; running the command again continues. */
  interrupted: 130,
  /** Stopped by SIGTERM. */
  terminated: 143,
} as const;
export type ExitName = keyof typeof exitCodes;
export type ExitCode = (typeof exitCodes)[ExitName];

/** Older than the others (docs/check.md). */
export type CheckExit = 0 | 1 | 2 | 3;

export function exitNameOf(code: ErrorCode): ExitName {
  // Another version's process may send a code that this one doesn't know.
  return errorFactsOf(code)?.exit ?? 'givenUp';
}

/** Null while it may change without user action. Pure. */
export function exitNameOfJob(job: Pick<JobSnapshot, 'status' | 'error' | 'waitingFor'>): ExitName | null {
  switch (job.status) {
    case 'complete':
      return 'complete';
    case 'data-error':
      return 'dataError';
    case 'error':
      return 'tilingError';
    case 'expired':
      return 'expired';
    case 'failed':
      return job.error ? exitNameOf(job.error.code) : 'internal';
    case 'cancelled':
    case 'paused':
      return 'heldForPerson';
    case 'queued':
    case 'creating':
    case 'uploading':
    case 'completing':
    case 'tiling':
      if (job.waitingFor === 'sign-in') return 'signIn';
      return job.waitingFor === 'confirmation' ? 'heldForPerson' : null;
  }
}
