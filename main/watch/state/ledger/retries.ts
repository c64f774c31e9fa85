import type { ErrorCode } from '../../../errors.ts';
import { doubledMs, type Random } from '../../../service/backoff.ts';
import { waitLimits } from '../../../service/wait-limits.ts';
import type { LedgerEntry } from '../../model/model.ts';

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

/** Delays after external failures (design, "Watch rules"). Pure. Epoch ms. */

const range = { firstMs: 30_000, maxMs: waitLimits.watchedRetry };
/** Spreads the retries of many sources. */
const jitter = 0.1;

/** Returns the ms to wait after this many failures in a row, from 1: 30 s, doubling up to a day, ±10 %. */
export function retryDelayMs(failures: number, random: Random): number {
  return Math.round(doubledMs(failures, range) * (1 + jitter * (2 * random() - 1)));
}

/** Returns the due time. One beyond the longest delay means that the clock was set back: due at once. */
export function retryTimeOf({ retryAt }: Pick<LedgerEntry, 'retryAt'>, currentTime: number): number {
  if (retryAt === null || retryAt - currentTime > range.maxMs * (1 + jitter)) return currentTime;
  return retryAt;
}
