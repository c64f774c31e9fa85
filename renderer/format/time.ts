/** Durations and points in time, in words short enough for a row. */

const space = '\u00a0';
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayMonthYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  const first = `${large}${space}${largeUnit}`;
  return small === 0 ? first : `${first}${space}${small}${space}${smallUnit}`;
}

/** Two units at most: `47 s`, `2 min 47 s`, `1 h 12 min`, `2 d 3 h`. Less than a second is `0 s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}${space}s`;
  if (seconds < 3600) return pair(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 24 * 60) return pair(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(seconds / 3600);
  return pair(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

/** A guess at a duration, rounded as guesses are: `a few seconds`, `1 min 10 s`, `25 min`, `2 h 10 min`. */
export function formatRoughDuration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 5) return 'a few seconds';
  const step = seconds < 600 ? 5 : seconds < 3600 ? 60 : 600;
  return formatDuration(Math.round(seconds / step) * step * 1000);
}

/** A wait without the haste of seconds: `9 minutes`, `1 minute`, `less than a minute`. */
export function formatMinutes(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  return `${minutes}${space}${minutes === 1 ? 'minute' : 'minutes'}`;
}

/** Time of day, local, 24 hours: `14:02`. */
export function formatClock(at: number): string {
  return clock.format(at);
}

/** Local day: `20 Nov 2026`. */
export function formatDay(at: number): string {
  return dayMonthYear.format(at);
}

/** Day and time as near as they are: `14:02`, `yesterday 14:02`, `3 Nov 14:02`, `3 Nov 2025`. */
export function formatWhen(at: number, now: number): string {
  const then = new Date(at);
  const today = new Date(now);
  if (then.toDateString() === today.toDateString()) return formatClock(at);
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  if (then.toDateString() === yesterday.toDateString()) return `yesterday ${formatClock(at)}`;
  if (then.getFullYear() !== today.getFullYear()) return formatDay(at);
  return `${dayMonth.format(at)} ${formatClock(at)}`;
}
