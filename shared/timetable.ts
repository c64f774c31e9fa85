import type { Bandwidth, Period } from './schemas/settings.ts';

export type { Bandwidth, Period };

/** Local time of the week. */
export interface WeekTime {
  /** 0 is Sunday. */
  readonly day: number;
  /** Minutes since midnight. */
  readonly minute: number;
}

/** @param timestamp ms since the epoch */
export function localWeekTime(timestamp: number): WeekTime {
  const date = new Date(timestamp);
  return { day: date.getDay(), minute: date.getHours() * 60 + date.getMinutes() };
}

/** Returns the limit of the first matching period, else the general one. */
export function limitAt({ limit, timetable }: Bandwidth, time: WeekTime): number | null {
  const period = timetable.find((period) => covers(period, time));
  return period ? period.limit : limit;
}

/** Whether a period runs past midnight. */
export function endsNextDay({ from: startTime, until: endTime }: Pick<Period, 'from' | 'until'>): boolean {
  return minuteOf(endTime) <= minuteOf(startTime);
}

/** Converts `HH:MM` to minutes since midnight. */
export function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function covers(period: Period, { day, minute }: WeekTime): boolean {
  const { days, from: startTime, until: endTime } = period;
  const start = minuteOf(startTime);
  const end = minuteOf(endTime);
  if (!endsNextDay(period)) return days.includes(day) && minute >= start && minute < end;
  const previousDay = (day + 6) % 7;
  return (days.includes(day) && minute >= start) || (days.includes(previousDay) && minute < end);
}
