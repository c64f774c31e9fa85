/**
 * Whether so many finished sources look changed at once that it is hardly they that changed: an ignore line
 * was edited, our own tables have grown, a file server rounds times after a move, a snapshot was restored.
 * Pure.
 */

/** Changes within this time of the watch's own clock count as one, ms. */
export const brakeWindowMs = 10 * 60_000;
/** So many may always look changed. */
const always = 3;
/** So many may never, however many there are. */
const never = 20;
/** Of a rule's finished sources. */
const maxShare = 0.1;

/**
 * `changed`: sources that look changed together; `finished`: all finished ones of the rule, in any state.
 */
export function isTooMany(changed: number, finished: number): boolean {
  return changed > never || (changed > always && changed > finished * maxShare);
}

/**
 * The paths that are to be held together; none while they are few.
 *
 * @param seen since when each source looks changed, by the watch's own clock, ms
 * @param now of the same clock
 */
export function caughtBy(
  seen: ReadonlyMap<string, number>,
  now: number,
  finished: number,
): readonly string[] {
  const recent = [...seen].filter(([, at]) => now - at <= brakeWindowMs).map(([path]) => path);
  return isTooMany(recent.length, finished) ? recent : [];
}
