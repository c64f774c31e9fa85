import type { FoundSource, LedgerEntry } from '../../model/model.ts';

/**
 * Whether names, sizes and times (ms) are the same. This is no proof, because tiles of one archive share a
 * time and often a size; `verify/` compares contents.
 */
export function looksSame(
  found: Pick<FoundSource, 'identity' | 'newestMs'>,
  known: Pick<LedgerEntry, 'identity' | 'newestMs'>,
): boolean {
  return found.identity === known.identity && found.newestMs === known.newestMs;
}

/** Whether nothing has touched it since the upload, not even with the same size and time. */
export function isUntouched(
  found: Pick<FoundSource, 'identity' | 'newestMs' | 'digest'>,
  known: Pick<LedgerEntry, 'identity' | 'newestMs' | 'marks'>,
): boolean {
  return looksSame(found, known) && (known.marks === null || known.marks === found.digest);
}

/** Whether the number of files and bytes is the same. */
export function maybeSameContent(
  found: Pick<FoundSource, 'files' | 'bytes'>,
  known: Pick<LedgerEntry, 'files' | 'bytes'>,
): boolean {
  return found.files.length === known.files && found.bytes === known.bytes;
}

/** Growth within this time after the upload is the same delivery, ms. */
const deliveryMs = 10 * 60_000;

/** Whether it was uploaded before all of it had arrived, and has only grown since. */
export function isRestOfDelivery(
  found: Pick<FoundSource, 'files' | 'bytes' | 'newestMs'>,
  known: Pick<LedgerEntry, 'state' | 'files' | 'bytes' | 'newestMs'>,
): boolean {
  const laterMs = found.newestMs - known.newestMs;
  const onlyGrew = found.files.length === known.files && found.bytes > known.bytes;
  return known.state === 'complete' && onlyGrew && laterMs > 0 && laterMs <= deliveryMs;
}
