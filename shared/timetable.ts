import type { Bandwidth, Period } from './schemas/settings.ts';

export type { Bandwidth, Period };

/** How fast Tilelift may send at which time of the week (design, "Limits"). */

/** A time of the week, as the clock on the wall shows it. */
export interface WeekTime {
  /** 0 for Sunday. */
  readonly day: number;
  /** Minutes since midnight. */
  readonly minute: number;
}

/** @param at ms since the epoch */
export function localWeekTime(at: number): WeekTime {
  const date = new Date(at);
  return { day: date.getDay(), minute: date.getHours() * 60 + date.getMinutes() };
}

/** The limit at that time: of the first period that fits, else the usual one. */
export function limitAt({ limit, timetable }: Bandwidth, time: WeekTime): number | null {
  const period = timetable.find((one) => covers(one, time));
  return period ? period.limit : limit;
}

/** Whether a period ends on the day after it began. */
export function endsNextDay({ from, until }: Pick<Period, 'from' | 'until'>): boolean {
  return minuteOf(until) <= minuteOf(from);
}

/** Minutes since midnight of `HH:MM`. */
export function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function covers(period: Period, { day, minute }: WeekTime): boolean {
  const { days, from, until } = period;
  const start = minuteOf(from);
  const end = minuteOf(until);
  if (!endsNextDay(period)) return days.includes(day) && minute >= start && minute < end;
  const yesterday = (day + 6) % 7;
  return (days.includes(day) && minute >= start) || (days.includes(yesterday) && minute < end);
}
