import type { ErrorCode } from '../../errors.ts';

/**
 * Whose fault a failure is, and so what a source waits for (design, "Watch rules").
 *
 * - `own`: the source's; nothing helps until it changes.
 * - `perhaps-own`: the source's or another's; tried again a few times, then it waits for a change.
 * - `person`: nothing may continue without someone's word.
 * - `others`: the service's, storage's, the network's, the account's, the rule's, this computer's; tried
 *   again until it works, at increasing intervals.
 */
type FailureClass = 'own' | 'perhaps-own' | 'others' | 'person';

const own: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['source-empty', 'source-keys-collide', 'source-name-too-long', 'source-name-not-utf8'] as const),
  ...(['all-left-out', 'system-unknown', 'system-not-assignable', 'system-file-exists'] as const),
  ...(['systems-differ', 'watch-kind-undecided', 'data-error'] as const),
]);

/** Locked by another program, or on a drive that was away: its files look the same afterwards. */
const perhapsOwn: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['source-missing', 'source-unreadable']);

const person: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  // Someone deleted it.
  'asset-not-found',
  // Each further try would leave another asset behind.
  ...(['creation-unusable', 'creation-unanswered', 'credentials-expired', 'forecast-too-long'] as const),
  // All its bytes are in storage: another asset is for a person to want.
  ...(['tiling-error', 'status-unknown', 'terrain-status-unknown', 'files-awaited'] as const),
  'tiling-unfollowed',
  // How far it came is not known: it may be an asset already.
  ...(['journal-damaged', 'job-unreadable', 'job-unknown', 'watch-ledger-lost'] as const),
  ...(['watch-row-unreadable', 'watch-done-untold', 'watch-already-taken', 'watch-taken-over'] as const),
  ...(['watch-asset-left', 'watch-failed-elsewhere', 'watch-rule-unknown'] as const),
]);

export function failureClassOf(code: ErrorCode): FailureClass {
  if (own.has(code)) return 'own';
  if (perhapsOwn.has(code)) return 'perhaps-own';
  return person.has(code) ? 'person' : 'others';
}
