import { endsNextDay, type Period } from '../../shared/timetable.ts';
import { formatRoughRate, perSpeech, say } from '../say.ts';

/** Monday first; 0 for Sunday, as in `Date.getDay()`. */
export const weekdays = [
  { day: 1, name: 'monday' },
  { day: 2, name: 'tuesday' },
  { day: 3, name: 'wednesday' },
  { day: 4, name: 'thursday' },
  { day: 5, name: 'friday' },
  { day: 6, name: 'saturday' },
  { day: 0, name: 'sunday' },
] as const;

const megabyte = 1e6;
const megabytes = perSpeech(
  ({ locale }) => new Intl.NumberFormat(locale, { maximumFractionDigits: 3, useGrouping: false }),
);
/** Initial limit, bytes per second. */
export const defaultLimit = 20 * megabyte;
export const defaultPeriod: Period = {
  days: [1, 2, 3, 4, 5],
  from: '08:00',
  until: '18:00',
  limit: 10 * megabyte,
};

/** `20000000` → `20`, `2500000` → `2.5`, in German `2,5`. */
export function toMegabytes(bytesPerSecond: number): string {
  return megabytes().format(bytesPerSecond / megabyte);
}

/** `20` or `2,5` MB/s in bytes per second; null if invalid. */
export function fromMegabytes(text: string): number | null {
  const figure = text.trim().replace(',', '.');
  if (!/^\d+(\.\d+)?$/.test(figure)) return null;
  const bytes = Math.round(Number(figure) * megabyte);
  return bytes >= 1000 ? bytes : null;
}

/** `off` or `20 MB/s`. */
export function limitWords(limit: number | null): string {
  return limit === null ? say('settings.bandwidth.off') : formatRoughRate(limit);
}

/** `8`, `8.30` or `18:00` as `HH:MM`; null if invalid. */
export function parseTime(text: string): string | null {
  const [, hours = '', minutes = '00'] = /^([01]?\d|2[0-3])(?:[:.]?([0-5]\d))?$/.exec(text.trim()) ?? [];
  return hours === '' ? null : `${hours.padStart(2, '0')}:${minutes}`;
}

export function toggleDay(period: Period, day: number): Period {
  const days = period.days.includes(day)
    ? period.days.filter((weekday) => weekday !== day)
    : [...period.days, day].sort((a, b) => a - b);
  return { ...period, days };
}

/** Note below a period: it never applies, or it ends the next day; else empty. */
export function periodNote({ days, from: start, until: end }: Period): string {
  if (days.length === 0) return say('settings.bandwidth.noDay');
  if (endsNextDay({ from: start, until: end })) return say('settings.bandwidth.nextDay', { until: end });
  return '';
}
