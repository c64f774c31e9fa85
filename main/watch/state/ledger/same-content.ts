import type { FoundSource, LedgerEntry } from '../../model/model.ts';

/**
 * Whether names, sizes and times (ms) are the same. This is no proof, because tiles of one archive share a
 * time and often a size; `verify/` compares contents.
 */
export function looksSame(
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
  return looksSame(source, entry) && (entry.marks === null || entry.marks === source.digest);
}

/** Whether the number of files and bytes is the same. */
export function maybeSameContent(
  source: Pick<FoundSource, 'files' | 'bytes'>,
  entry: Pick<LedgerEntry, 'files' | 'bytes'>,
): boolean {
  return source.files.length === entry.files && source.bytes === entry.bytes;
}

/** Growth within this time after the upload is the same delivery, ms. */
const deliveryMs = 10 * 60_000;

/** Whether it was uploaded before all of it had arrived, and has only grown since. */
export function isRestOfDelivery(
  source: Pick<FoundSource, 'files' | 'bytes' | 'newestMs'>,
  entry: Pick<LedgerEntry, 'state' | 'files' | 'bytes' | 'newestMs'>,
): boolean {
  const laterMs = source.newestMs - entry.newestMs;
  const onlyGrew = source.files.length === entry.files && source.bytes > entry.bytes;
  return entry.state === 'complete' && onlyGrew && laterMs > 0 && laterMs <= deliveryMs;
}
