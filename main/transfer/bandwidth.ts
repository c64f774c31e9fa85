/** How fast Tilelift may send (design, "Limits"): pure. */

/** Bytes a second, null for no limit, and times of the week with a limit of their own. */
export interface Bandwidth {
  readonly limit: number | null;
  readonly timetable: readonly BandwidthPeriod[];
}

export interface BandwidthPeriod {
  /** Days on which it begins, 0 for Sunday. */
  readonly days: readonly number[];
  /** `HH:MM`, local time. `until` not after `from` runs over midnight. */
  readonly from: string;
  readonly until: string;
  readonly limit: number | null;
}

/** A time of the week, as the clock on the wall shows it. */
export interface WeekTime {
  /** 0 for Sunday. */
  readonly day: number;
  /** Minutes since midnight. */
  readonly minute: number;
}

export function localWeekTime(at: number): WeekTime {
  const date = new Date(at);
  return { day: date.getDay(), minute: date.getHours() * 60 + date.getMinutes() };
}

/** The limit at that time: of the first period that fits, else the usual one. */
export function limitAt({ limit, timetable }: Bandwidth, time: WeekTime): number | null {
  const period = timetable.find((one) => covers(one, time));
  return period ? period.limit : limit;
}

const minuteMs = 60_000;
const dayMinutes = 24 * 60;
const weekMs = 7 * dayMinutes * minuteMs;

/**
 * Seconds for so many bytes on a line that takes `bytesPerSecond`, begun at `at` (ms since the epoch), the limits of the hours to come counted in. Infinity
 * where nothing may ever be sent.
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

function covers({ days, from, until }: BandwidthPeriod, { day, minute }: WeekTime): boolean {
  const start = minuteOf(from);
  const end = minuteOf(until);
  if (start < end) return days.includes(day) && minute >= start && minute < end;
  const yesterday = (day + 6) % 7;
  return (days.includes(day) && minute >= start) || (days.includes(yesterday) && minute < end);
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
