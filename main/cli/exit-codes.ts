import type { ErrorCode } from '../errors.ts';
import type { JobSnapshot } from '../jobs/model.ts';
import { signInCodes } from '../jobs/needs-sign-in.ts';

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

/** Errors of the input. */
const inputCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['source-missing', 'source-empty', 'source-unreadable', 'source-changed'] as const),
  ...(['source-keys-collide', 'source-name-too-long', 'source-name-not-utf8'] as const),
  ...(['all-left-out'] as const),
  ...(['system-unknown', 'system-not-assignable', 'system-file-exists', 'systems-differ'] as const),
  ...(['asset-name-empty', 'asset-type-unknown', 'source-type-empty', 'source-type-mismatch'] as const),
  ...(['service-address-invalid', 'service-pair-mixed', 'service-not-allowed', 'client-id-invalid'] as const),
  ...(['service-plain', 'service-not-private'] as const),
  ...([
    'asset-not-found',
    'change-unsupported',
    'terrain-missing',
    'request-refused',
    'request-too-large',
  ] as const),
  ...([
    'rules-file-unreadable',
    'presets-file-unreadable',
    'authority-file-unusable',
    'set-by-policy',
  ] as const),
  ...(['job-unknown', 'input-invalid', 'journal-newer', 'path-not-given', 'watch-rule-unknown'] as const),
]);

const accountCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...signInCodes,
  ...(['not-signed-in', 'invalid-credentials', 'scope-missing', 'list-not-allowed'] as const),
  ...(['registration-failed', 'client-unknown', 'access-token-refused', 'sign-in-unreadable'] as const),
  ...(['sign-in-denied', 'sign-in-mismatch', 'sign-in-timed-out', 'sign-in-address-invalid'] as const),
  ...(['sign-in-failed', 'sign-in-port-blocked', 'browser-not-opened'] as const),
]);

const personCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['forecast-too-long', 'service-pair-unconfirmed', 'storage-plain', 'watch-already-taken'] as const),
  ...(['creation-unanswered', 'tiling-unfollowed'] as const),
]);

export function exitNameOf(code: ErrorCode): ExitName {
  if (inputCodes.has(code)) return 'badInput';
  if (accountCodes.has(code)) return 'signIn';
  if (personCodes.has(code)) return 'heldForPerson';
  if (code === 'data-error') return 'dataError';
  if (code === 'tiling-error') return 'tilingError';
  if (code === 'creation-unusable') return 'serviceUnusable';
  if (code === 'credentials-expired' || code === 'credentials-lost') return 'expired';
  return code === 'internal' ? 'internal' : 'givenUp';
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
