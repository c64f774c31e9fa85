/**
 * Detects that too many finished sources look changed at once. The cause is rarely the data: an edited ignore
 * line, a migrated table of ours, a file server that rounds times, or a restored snapshot. Pure.
 */

/** Changes within this time count together, ms. */
export const brakeWindowMs = 10 * 60_000;
/** Up to this many changes never trigger the guard. */
const always = 3;
/** More changes than this always do. */
const never = 20;
/** Share of a rule's finished sources. */
const maxShare = 0.1;

/** `changed`: changed sources in the window; `finished`: finished ones in any state. */
export function isTooMany(changed: number, finished: number): boolean {
  return changed > never || (changed > always && changed > finished * maxShare);
}

/**
 * Returns the paths to hold together.
 *
 * @param changeTimes when each source first looked changed, ms of the watch's own clock
 * @param currentTime same clock
 */
export function caughtBy(
  changeTimes: ReadonlyMap<string, number>,
  currentTime: number,
  finished: number,
): readonly string[] {
  const recent = [...changeTimes]
    .filter(([, changedAt]) => currentTime - changedAt <= brakeWindowMs)
    .map(([path]) => path);
  return isTooMany(recent.length, finished) ? recent : [];
}
