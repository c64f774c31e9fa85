/** That the same data is an asset already: a hint, which keeps nobody from uploading it again. */

import type { MadeBeforeView } from '../../../../preload/contract.ts';
import { formatDay, formatWeekday, say } from '../../../say.ts';

/**
 * `The same data became asset 20004 on Monday.` The day as near as it is, local; by the date from a week on.
 *
 * @param now ms since the epoch
 */
export function describeMadeBefore({ assetId, at }: MadeBeforeView, now: number): string {
  const id = String(assetId);
  const days = daysBetween(at, now);
  if (days === 0) return say('newAsset.madeBefore.today', { id });
  if (days === 1) return say('newAsset.madeBefore.yesterday', { id });
  return days > 1 && days < 7
    ? say('newAsset.madeBefore.weekday', { id, weekday: formatWeekday(at) })
    : say('newAsset.madeBefore.day', { id, day: formatDay(at) });
}

/** Local midnights between the two. Days with a change of the clocks are 23 or 25 hours long. */
function daysBetween(at: number, now: number): number {
  const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0);
  return Math.round((midnight(now) - midnight(at)) / (24 * 3600_000));
}
