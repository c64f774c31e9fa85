import type { Voice } from '../say.ts';

type Unit = 'days' | 'hours' | 'minutes' | 'seconds';

/** Durations and times, short enough for a row. */
export function timeFormats({ say, perSpeech }: Voice) {
  const clock = perSpeech(
    ({ locale }) => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }),
  );
  const dayMonth = perSpeech(
    ({ locale }) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }),
  );
  const weekday = perSpeech(({ locale }) => new Intl.DateTimeFormat(locale, { weekday: 'long' }));
  const dayMonthYear = perSpeech(({ locale }) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));

  function pair(largeCount: number, largeUnit: Unit, smallCount: number, smallUnit: Unit): string {
    const firstPart = say(`units.${largeUnit}`, { count: largeCount });
    return smallCount === 0
      ? firstPart
      : say('units.two', { first: firstPart, second: say(`units.${smallUnit}`, { count: smallCount }) });
  }

  /** Two units at most: `47 s`, `2 min 47 s`, `1 h 12 min`, `2 d 3 h`. Less than a second is `0 s`. */
  function formatDuration(ms: number): string {
    const seconds = Math.max(0, Math.round(ms / 1000));
    if (seconds < 60) return say('units.seconds', { count: seconds });
    if (seconds < 3600) return pair(Math.floor(seconds / 60), 'minutes', seconds % 60, 'seconds');
    const minutes = Math.round(seconds / 60);
    if (minutes < 24 * 60) return pair(Math.floor(minutes / 60), 'hours', minutes % 60, 'minutes');
    const hours = Math.round(seconds / 3600);
    return pair(Math.floor(hours / 24), 'days', hours % 24, 'hours');
  }

  /** Local time of day in the locale's notation: `14:02`. */
  const formatClock = (timestamp: number): string => clock().format(timestamp);
  /** Local day: `20 Nov 2026`, in German `20.11.2026`. */
  const formatDay = (timestamp: number): string => dayMonthYear().format(timestamp);

  return {
    formatDuration,
    formatDay,
    /** Local day of the week: `Monday`. */
    formatWeekday: (timestamp: number): string => weekday().format(timestamp),
    /** A rough duration: `a few seconds`, `1 min 10 s`, `25 min`, `2 h 10 min`. */
    formatRoughDuration(ms: number): string {
      const seconds = ms / 1000;
      if (seconds < 5) return say('units.fewSeconds');
      const step = seconds < 600 ? 5 : seconds < 3600 ? 60 : 600;
      return formatDuration(Math.round(seconds / step) * step * 1000);
    },
    /** A wait, without seconds: `9 minutes`, `1 minute`, `less than a minute`. */
    formatMinutes(ms: number): string {
      const count = Math.floor(ms / 60_000);
      return count < 1 ? say('units.lessThanMinute') : say('units.wholeMinutes', { count });
    },
    /** Local date and time in full: `20 Nov 2026 14:02`. */
    formatDayAndClock: (timestamp: number): string => `${formatDay(timestamp)} ${formatClock(timestamp)}`,
    /**
     * Date and time without what is obvious today: `14:02`, `yesterday 14:02`, `3 Nov 14:02`, `3 Nov 2025`.
     */
    formatWhen(timestamp: number, currentTime: number): string {
      const date = new Date(timestamp);
      const startOfToday = new Date(currentTime);
      const time = formatClock(timestamp);
      if (date.toDateString() === startOfToday.toDateString()) return time;
      const startOfYesterday = new Date(
        startOfToday.getFullYear(),
        startOfToday.getMonth(),
        startOfToday.getDate() - 1,
      );
      if (date.toDateString() === startOfYesterday.toDateString()) return say('units.yesterdayAt', { time });
      if (date.getFullYear() !== startOfToday.getFullYear()) return formatDay(timestamp);
      return say('units.dayAt', { day: dayMonth().format(timestamp), time });
    },
  };
}
