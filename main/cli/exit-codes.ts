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

/** Each error code is in one of these lists; the compiler names a missing one. */
const codesByExit = {
  internal: ['internal'],
  badInput: [
    ...(['authority-file-unusable', 'service-pair-mixed', 'service-address-invalid'] as const),
    ...(['request-refused', 'request-too-large', 'asset-not-found', 'change-unsupported'] as const),
    ...(['client-id-invalid', 'source-missing', 'source-empty', 'source-unreadable'] as const),
    ...(['terrain-missing', 'source-changed', 'source-keys-collide', 'source-name-too-long'] as const),
    ...(['source-name-not-utf8', 'all-left-out', 'system-unknown', 'system-not-assignable'] as const),
    ...(['system-file-exists', 'systems-differ', 'asset-name-empty', 'asset-type-unknown'] as const),
    ...(['source-type-empty', 'source-type-mismatch', 'rules-file-unreadable'] as const),
    ...(['presets-file-unreadable', 'watch-rule-unknown', 'set-by-policy'] as const),
    ...(['service-not-allowed', 'journal-newer', 'job-unknown', 'path-not-given'] as const),
    ...(['input-invalid', 'service-plain', 'service-not-private'] as const),
  ],
  signIn: [
    ...(['not-signed-in', 'invalid-credentials', 'scope-missing', 'list-not-allowed'] as const),
    ...(['registration-failed', 'client-unknown', 'access-token-refused'] as const),
    ...(['sign-in-unreadable', 'browser-not-opened', 'sign-in-denied', 'sign-in-mismatch'] as const),
    ...(['sign-in-timed-out', 'sign-in-address-invalid', 'sign-in-failed'] as const),
    ...(['sign-in-port-blocked'] as const),
    ...(['policy-unreadable', 'policy-unprotected', 'policy-not-json', 'policy-key-unknown'] as const),
    ...(['policy-value-unusable'] as const),
  ],
  heldForPerson: [
    ...(['service-pair-unconfirmed', 'storage-plain', 'creation-unanswered'] as const),
    ...(['watch-already-taken', 'forecast-too-long', 'tiling-unfollowed'] as const),
  ],
  dataError: ['data-error'],
  tilingError: ['tiling-error'],
  serviceUnusable: ['creation-unusable'],
  expired: ['credentials-expired', 'credentials-lost'],
  givenUp: [
    ...(['service-unreachable', 'certificate-untrusted', 'proxy-unreachable'] as const),
    ...(['proxy-authentication', 'service-unavailable', 'service-busy', 'storage-private'] as const),
    ...(['foreign-answer', 'unexpected-answer', 'source-stalled', 'source-away'] as const),
    ...(['terrain-failed', 'watch-account-missing', 'watch-folder-missing'] as const),
    ...(['watch-marker-missing', 'watch-folder-unreadable', 'watch-folder-nested'] as const),
    ...(['watch-patterns-overlap', 'watch-kind-undecided', 'watch-target-unusable'] as const),
    ...(['watch-pattern-invalid', 'watch-marker-for-batch', 'watch-name-invalid'] as const),
    ...(['watch-limit-reached', 'watch-events-missing', 'watch-lease-unwritable'] as const),
    ...(['watch-standing-by', 'watch-own-folder-foreign', 'watch-move-failed'] as const),
    ...(['watch-ledger-lost', 'presets-too-many', 'watch-row-unreadable', 'watch-done-untold'] as const),
    ...(['watch-taken-over', 'watch-asset-left', 'watch-failed-elsewhere'] as const),
    ...(['login-item-unavailable', 'mail-unreachable', 'mail-not-encrypted'] as const),
    ...(['mail-login-refused', 'mail-password-missing', 'mail-refused', 'webhook-unreachable'] as const),
    ...(['webhook-refused', 'webhook-key-missing', 'alerts-not-set', 'alert-place-refused'] as const),
    ...(['receipt-not-written', 'program-missing', 'program-in-watched-folder'] as const),
    ...(['program-writable-by-others', 'program-not-started', 'heartbeat-unwritable'] as const),
    ...(['update-unreachable', 'update-refused', 'update-not-kept', 'storage-unreachable'] as const),
    ...(['storage-denied', 'storage-elsewhere', 'storage-failed', 'storage-mismatch'] as const),
    ...(['status-unknown', 'terrain-status-unknown', 'files-awaited', 'policy-rules-faulty'] as const),
    ...(['policy-rule-no-account', 'watch-folder-outside', 'journal-held', 'nothing-runs'] as const),
    ...(['socket-version', 'socket-misunderstood', 'socket-unproven', 'socket-lost'] as const),
    ...(['journal-unusable', 'journal-full', 'journal-damaged', 'job-unreadable'] as const),
    ...(['sandbox-off'] as const),
  ],
} as const satisfies Partial<Record<ExitName, readonly ErrorCode[]>>;
type ListedCode = (typeof codesByExit)[keyof typeof codesByExit][number];

const exitByCode: Readonly<Record<ErrorCode, ExitName>> = Object.fromEntries(
  Object.entries(codesByExit).flatMap(([exit, codes]) => codes.map((code) => [code, exit])),
) as Record<ListedCode, ExitName>;

export function exitNameOf(code: ErrorCode): ExitName {
  // Another version's process may send a code that this one doesn't know.
  return exitByCode[code] ?? 'givenUp';
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
