import { errorFactsOf, type FailureClass } from '../../../../shared/errors.ts';
import type { ErrorCode } from '../../../errors.ts';
import { doubledMs, type Random } from '../../../service/backoff.ts';
import { waitLimits } from '../../../service/wait-limits.ts';
import type { FoundSource, LedgerEntry } from '../../model/model.ts';
import { type Content, compare } from '../../scan/content.ts';

export function failureClassOf(code: ErrorCode): FailureClass {
  return errorFactsOf(code)?.failure ?? 'others';
}

/** Delays after external failures. Pure. Epoch ms. */

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

/**
 * Prevents duplicate assets: once a source is complete in storage, only the user, or a change of the source,
 * creates another asset. Checked in the transaction that records an upload, so that no error above can bypass
 * it. Pure.
 */

type Row = Pick<LedgerEntry, 'state' | 'uploadedAt' | 'standing' | 'error' | 'assetId' | 'restarts'>;

/** Further assets without a user decision; each failure leaves one behind. */
const maxRestarts = 1;

/** Whether a source whose asset can't continue may become another one. */
export function mayRestart({ assetId, restarts }: Pick<Row, 'assetId' | 'restarts'>): boolean {
  return assetId === null || restarts < maxRestarts;
}

/** Whether the same content may become another asset. */
export function allowsAnother(row: Row): boolean {
  const { state, uploadedAt, error } = row;
  if (state === 'skipped' || state === 'seen') return true;
  if (isRequested(row)) return true;
  if (state === 'taken' || state === 'complete') return false;
  if (!mayRestart(row)) return false;
  // Its asset can't be completed, so a new upload needs a new one.
  if (uploadedAt === null) return true;
  // The service rejected the data, or a user deleted the asset.
  return error !== null && (failureClassOf(error.code) === 'own' || error.code === 'asset-not-found');
}

/** Whether the user wants another asset. */
export function isRequested({ standing }: Pick<LedgerEntry, 'standing'>): boolean {
  return standing?.why === 'upload';
}

/** Whether another computer uploaded a source of the same size and time that can't be compared. */
export function isUnverifiableElsewhere({ error }: Pick<LedgerEntry, 'error'>): boolean {
  return error?.code === 'watch-done-untold';
}

/**
 * Returns the row that forbids uploading this source. The same facts mean the same source unless the content
 * differs; the same content always does. A copy next to its original is a source of its own, as is one that
 * returns after a move.
 *
 * @param rows of the rule, with its path or its identity
 * @param isThere whether a path of the watched folder exists
 * @param content undefined until it has been read
 */
export function rowAgainst(
  source: Pick<FoundSource, 'path' | 'identity' | 'newestMs'>,
  rows: readonly LedgerEntry[],
  isThere: (path: string) => boolean,
  content: Content | undefined,
): LedgerEntry | undefined {
  return rows.find((row) => {
    if (allowsAnother(row)) return false;
    const verdict = compare(content, row);
    const isSame = verdict === 'same' || (verdict !== 'differs' && hasSameFacts(source, row));
    return isSame && (row.path === source.path || (row.movedTo === null && !isThere(row.path)));
  });
}

/**
 * Whether names, sizes and times (ms) are the same. This is no proof, because tiles of one archive share a
 * time and often a size; `verify/` compares contents.
 */
export function hasSameFacts(
  source: Pick<FoundSource, 'identity' | 'newestMs'>,
  entry: Pick<LedgerEntry, 'identity' | 'newestMs'>,
): boolean {
  return source.identity === entry.identity && source.newestMs === entry.newestMs;
}

/** Whether nothing has touched it since the upload, not even with the same size and time. */
export function isUntouched(
  source: Pick<FoundSource, 'identity' | 'newestMs' | 'digest'>,
  entry: Pick<LedgerEntry, 'identity' | 'newestMs' | 'marks'>,
): boolean {
  return hasSameFacts(source, entry) && (entry.marks === null || entry.marks === source.digest);
}

/** Whether the number of files and bytes is the same. */
export function maybeSameContent(
  source: Pick<FoundSource, 'files' | 'bytes'>,
  entry: Pick<LedgerEntry, 'files' | 'bytes'>,
): boolean {
  return source.files.length === entry.files && source.bytes === entry.bytes;
}

/** Growth within this time after the pickup is the same delivery, ms. */
const deliveryMs = 10 * 60_000;

/**
 * Whether it was uploaded before all of it had arrived, and has only grown since. Either time suffices: rsync
 * dates a partial file 1970. `currentTime`: ms since the epoch.
 */
export function isRestOfDelivery(
  source: Pick<FoundSource, 'files' | 'bytes' | 'newestMs'>,
  entry: Pick<LedgerEntry, 'state' | 'files' | 'bytes' | 'newestMs' | 'takenAt'>,
  currentTime: number,
): boolean {
  const isSoon = [source.newestMs - entry.newestMs, currentTime - entry.takenAt].some(
    (ms) => ms > 0 && ms <= deliveryMs,
  );
  const onlyGrew = source.files.length === entry.files && source.bytes > entry.bytes;
  return entry.state === 'complete' && onlyGrew && isSoon;
}
