import type { FoundSource, LedgerEntry } from '../model.ts';

const hourMs = 60 * 60_000;

/**
 * The source is as it was when the ledger's row was written. Some drives show every time an hour off after summer time begins or ends: that is no change.
 * Otherwise to the millisecond, since an export that runs every hour may well write as many bytes as the one before.
 */
export function isSameContent(
  found: Pick<FoundSource, 'identity' | 'newestMs'>,
  known: Pick<LedgerEntry, 'identity' | 'newestMs'>,
): boolean {
  if (found.identity !== known.identity) return false;
  const shift = Math.abs(found.newestMs - known.newestMs);
  return shift === 0 || shift === hourMs;
}
