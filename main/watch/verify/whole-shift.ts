import { hasLocalTimes } from '../folder/drive.ts';
import type { Ledger } from '../ledger/ledger-model.ts';
import type { FoundSource } from '../model.ts';
import type { WatchRule } from '../rule.ts';

const hourMs = 60 * 60_000;
/** Fewer sources say nothing about a drive. */
const fewest = 2;

/**
 * By how much a drive shows the times of a whole folder off, ms: an hour, after summer time began or ended,
 * for every source that the ledger knows and that is there as it was otherwise. 0 where any of them has not
 * moved, or by something else. Pure but for the ledger's rows.
 */
export function wholeShift(
  ruleId: string,
  sources: Iterable<FoundSource>,
  ledger: Pick<Ledger, 'find'>,
): number {
  let shiftMs: number | null = null;
  let moved = 0;
  for (const { path, identity, newestMs } of sources) {
    const known = ledger.find(ruleId, path);
    if (!known || known.identity !== identity) continue;
    const by = newestMs - known.newestMs;
    if (Math.abs(by) !== hourMs || (shiftMs !== null && shiftMs !== by)) return 0;
    shiftMs = by;
    moved += 1;
  }
  return moved < fewest ? 0 : (shiftMs ?? 0);
}

/**
 * The shift by which what can't be compared is told apart from what has changed: only on drives that keep the
 * time of the clock on the wall.
 *
 * @param before the shift of the last look while sources are still compared for its sake, else 0: those that
 *   are done look again as they did
 */
export async function shiftNow(
  rule: WatchRule,
  sources: Iterable<FoundSource>,
  ledger: Pick<Ledger, 'find'>,
  before: number,
): Promise<number> {
  const shiftMs = wholeShift(rule.id, sources, ledger);
  if (shiftMs === 0) return before;
  return (await hasLocalTimes(rule.folder)) ? shiftMs : 0;
}
