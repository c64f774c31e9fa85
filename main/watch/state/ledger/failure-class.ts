import type { ErrorCode } from '../../../errors.ts';

/**
 * Causes of failures, which decide what a source waits for (design, "Watch rules").
 *
 * - `own`: the source; nothing helps until it changes.
 * - `perhaps-own`: retried a few times, then it waits for a change.
 * - `person`: only the user can continue.
 * - `others`: the service, storage, network, account, rule or this computer; retried at increasing intervals.
 */
type FailureClass = 'own' | 'perhaps-own' | 'others' | 'person';

const sourceErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['source-empty', 'source-keys-collide', 'source-name-too-long', 'source-name-not-utf8'] as const),
  ...(['all-left-out', 'system-unknown', 'system-not-assignable', 'system-file-exists'] as const),
  ...(['systems-differ', 'watch-kind-undecided', 'data-error'] as const),
]);

/** After a lock or an unavailable drive the files look the same. */
const transientSourceErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'source-missing',
  'source-unreadable',
]);

const userErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'asset-not-found',
  // Each further try would leave another asset behind.
  ...(['creation-unusable', 'creation-unanswered', 'credentials-expired', 'forecast-too-long'] as const),
  // All its bytes are in storage, so only the user may request another asset.
  ...(['tiling-error', 'status-unknown', 'terrain-status-unknown', 'files-awaited'] as const),
  'tiling-unfollowed',
  // The progress is unknown; it may already be an asset.
  ...(['journal-damaged', 'job-unreadable', 'job-unknown', 'watch-ledger-lost'] as const),
  ...(['watch-row-unreadable', 'watch-done-untold', 'watch-already-taken', 'watch-taken-over'] as const),
  ...(['watch-asset-left', 'watch-failed-elsewhere', 'watch-rule-unknown'] as const),
]);

export function failureClassOf(code: ErrorCode): FailureClass {
  if (sourceErrors.has(code)) return 'own';
  if (transientSourceErrors.has(code)) return 'perhaps-own';
  return userErrors.has(code) ? 'person' : 'others';
}
