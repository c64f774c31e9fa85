/** Hint that an asset from the same data exists. It never blocks an upload. */

import type { MadeBeforeView } from '../../../../preload/contract.ts';
import type { ChangesInShort } from '../../../../shared/source-changes.ts';
import { formatDay, formatList, formatWeekday, say } from '../../../say.ts';

/**
 * `The same data became asset 20004 on Monday, with EPSG:25832 assigned.` Local time; a date after a week.
 *
 * @param nowMs ms since the epoch
 */
export function describeMadeBefore(
  { assetId, at: completedAt, changes }: MadeBeforeView,
  nowMs: number,
): string {
  const id = String(assetId);
  const days = daysBetween(completedAt, nowMs);
  if (changes) return describeChanged(id, completedAt, days, describeChanges(changes));
  if (days === 0) return say('newAsset.madeBefore.today', { id });
  if (days === 1) return say('newAsset.madeBefore.yesterday', { id });
  return isOfWeek(days)
    ? say('newAsset.madeBefore.weekday', { id, weekday: formatWeekday(completedAt) })
    : say('newAsset.madeBefore.day', { id, day: formatDay(completedAt) });
}

function describeChanged(id: string, completedAt: number, days: number, changes: string): string {
  if (days === 0) return say('newAsset.madeBefore.changed.today', { id, changes });
  if (days === 1) return say('newAsset.madeBefore.changed.yesterday', { id, changes });
  return isOfWeek(days)
    ? say('newAsset.madeBefore.changed.weekday', { id, weekday: formatWeekday(completedAt), changes })
    : say('newAsset.madeBefore.changed.day', { id, day: formatDay(completedAt), changes });
}

const isOfWeek = (days: number) => days > 1 && days < 7;

const maxNamed = 3;

function describeChanges({
  assigned: assignedCodes,
  worded: hasSystemText,
  leftOut,
  takenAlong: companionCount,
}: ChangesInShort): string {
  const parts: string[] = [];
  if (assignedCodes.length > maxNamed)
    parts.push(say('newAsset.madeBefore.assignedMany', { count: assignedCodes.length }));
  else if (assignedCodes.length > 0) {
    const systems = formatList(assignedCodes.map((code) => `EPSG:${code}`));
    parts.push(say('newAsset.madeBefore.assigned', { systems }));
  }
  if (hasSystemText) parts.push(say('newAsset.madeBefore.worded'));
  if (leftOut > 0) parts.push(say('newAsset.madeBefore.leftOut', { count: leftOut }));
  if (companionCount > 0) parts.push(say('newAsset.madeBefore.takenAlong', { count: companionCount }));
  return formatList(parts);
}

/** Local midnights between both: a day has 23 or 25 hours when clocks change. */
function daysBetween(earlierMs: number, nowMs: number): number {
  const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0);
  return Math.round((midnight(nowMs) - midnight(earlierMs)) / (24 * 3600_000));
}
