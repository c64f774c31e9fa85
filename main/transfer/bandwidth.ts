import { type Bandwidth, limitAt, localWeekTime, minuteOf, type WeekTime } from '../../shared/timetable.ts';

/** Estimates transfer times under the bandwidth timetable. Pure. */

const minuteMs = 60_000;
const dayMinutes = 24 * 60;
const weekMs = 7 * dayMinutes * minuteMs;

/**
 * Returns the seconds to send `bytes` at `bytesPerSecond`, starting at `startMs` (epoch), within the
 * timetable's limits. Infinity if the timetable never allows it.
 */
export function secondsToSend(
  bytes: number,
  bytesPerSecond: number,
  bandwidth: Bandwidth,
  startMs: number,
  weekTime: (timeMs: number) => WeekTime = localWeekTime,
): number {
  let bytesLeft = bytes;
  let timeMs = startMs;
  while (bytesLeft > 0) {
    const rate = Math.min(bytesPerSecond, limitAt(bandwidth, weekTime(timeMs)) ?? Number.POSITIVE_INFINITY);
    const ms = untilNextEdge(bandwidth, timeMs, weekTime);
    if (rate * ms >= bytesLeft * 1000) return (timeMs - startMs) / 1000 + bytesLeft / rate;
    bytesLeft -= (rate * ms) / 1000;
    timeMs += ms;
    if (timeMs - startMs >= weekMs) return ((timeMs - startMs) / 1000) * (bytes / (bytes - bytesLeft));
  }
  return 0;
}

function untilNextEdge({ timetable }: Bandwidth, timeMs: number, weekTime: (ms: number) => WeekTime): number {
  if (timetable.length === 0) return Number.POSITIVE_INFINITY;
  const { minute } = weekTime(timeMs);
  const edges = timetable.flatMap(({ from: startTime, until: endTime }) => [
    minuteOf(startTime),
    minuteOf(endTime),
  ]);
  const nextEdge = Math.min(dayMinutes, ...edges.filter((edge) => edge > minute));
  return (nextEdge - minute) * minuteMs - (timeMs % minuteMs);
}
