import type { FoundSource, LedgerEntry } from '../model.ts';

/**
 * The source looks as it did when the ledger's row was written: names, sizes and times, to the millisecond.
 * That is no proof: tiles of one archive have one time and often one size. `verify/` tells what they hold.
 */
export function looksSame(
  found: Pick<FoundSource, 'identity' | 'newestMs'>,
  known: Pick<LedgerEntry, 'identity' | 'newestMs'>,
): boolean {
  return found.identity === known.identity && found.newestMs === known.newestMs;
}

/** Nothing has touched its files since they were taken, not even while keeping size and time. */
export function isUntouched(
  found: Pick<FoundSource, 'identity' | 'newestMs' | 'digest'>,
  known: Pick<LedgerEntry, 'identity' | 'newestMs' | 'marks'>,
): boolean {
  return looksSame(found, known) && (known.marks === null || known.marks === found.digest);
}

/** As many files and bytes: it may hold the same. */
export function maybeSameContent(
  found: Pick<FoundSource, 'files' | 'bytes'>,
  known: Pick<LedgerEntry, 'files' | 'bytes'>,
): boolean {
  return found.files.length === known.files && found.bytes === known.bytes;
}

/** A source that grows for so long after it was taken is the same delivery, ms. */
const deliveryMs = 10 * 60_000;

/** It was taken before all of it had arrived, and has only grown since. */
export function isRestOfDelivery(
  found: Pick<FoundSource, 'files' | 'bytes' | 'newestMs'>,
  known: Pick<LedgerEntry, 'state' | 'files' | 'bytes' | 'newestMs'>,
): boolean {
  const laterMs = found.newestMs - known.newestMs;
  const onlyGrew = found.files.length === known.files && found.bytes > known.bytes;
  return known.state === 'complete' && onlyGrew && laterMs > 0 && laterMs <= deliveryMs;
}
