import { type Bandwidth, limitAt, localWeekTime, minuteOf, type WeekTime } from '../../shared/timetable.ts';

/** How long bytes take at the limits of the hours to come (design, "Credential life"): pure. */

const minuteMs = 60_000;
const dayMinutes = 24 * 60;
const weekMs = 7 * dayMinutes * minuteMs;

/**
 * Seconds for so many bytes on a network that takes `bytesPerSecond`, begun at `at` (ms since the epoch), the
 * limits of the hours to come counted in. Infinity where nothing may ever be sent.
 */
export function secondsToSend(
  bytes: number,
  bytesPerSecond: number,
  bandwidth: Bandwidth,
  at: number,
  weekTime: (at: number) => WeekTime = localWeekTime,
): number {
  let left = bytes;
  let now = at;
  while (left > 0) {
    const rate = Math.min(bytesPerSecond, limitAt(bandwidth, weekTime(now)) ?? Number.POSITIVE_INFINITY);
    const ms = untilNextEdge(bandwidth, now, weekTime);
    if (rate * ms >= left * 1000) return (now - at) / 1000 + left / rate;
    left -= (rate * ms) / 1000;
    now += ms;
    // From here on it goes as in this week.
    if (now - at >= weekMs) return ((now - at) / 1000) * (bytes / (bytes - left));
  }
  return 0;
}

/** Ms until the limit may be another. */
function untilNextEdge({ timetable }: Bandwidth, now: number, weekTime: (at: number) => WeekTime): number {
  if (timetable.length === 0) return Number.POSITIVE_INFINITY;
  const { minute } = weekTime(now);
  const edges = timetable.flatMap(({ from, until }) => [minuteOf(from), minuteOf(until)]);
  const next = Math.min(dayMinutes, ...edges.filter((edge) => edge > minute));
  return (next - minute) * minuteMs - (now % minuteMs);
}
