import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Bandwidth, endsNextDay, limitAt, localWeekTime } from '../../../shared/timetable.ts';

const workdays = [1, 2, 3, 4, 5];
const minute = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
const office: Bandwidth = {
  limit: 1_000,
  timetable: [
    { days: workdays, from: '08:00', until: '18:00', limit: 10 },
    { days: [5], from: '22:00', until: '06:00', limit: null },
  ],
};

it.each([
  ['within a period', 1, '08:00', 10],
  ['until its last minute', 1, '17:59', 10],
  ['at its end', 1, '18:00', 1_000],
  ['on another day', 0, '12:00', 1_000],
  ['in a period over midnight, before it', 5, '23:00', null],
  ['in a period over midnight, after it, on the next day', 6, '05:59', null],
  ['not on the morning of the day on which such a period begins', 5, '05:00', 1_000],
] as const)('limitAt() applies %s', (_name, day, time, expected) => {
  expect(limitAt(office, { day, minute: minute(time) })).toBe(expected);
});

it('limitAt() applies the first matching period', () => {
  const bothPeriods = { days: [1], from: '00:00', until: '23:59', limit: 1 };
  expect(
    limitAt({ limit: null, timetable: [bothPeriods, { ...bothPeriods, limit: 2 }] }, { day: 1, minute: 60 }),
  ).toBe(1);
});

it('limitAt() treats equal start and end as a whole day', () => {
  const timetable = [{ days: [6], from: '12:00', until: '12:00', limit: 5 }];
  expect(limitAt({ limit: null, timetable }, { day: 0, minute: 11 * 60 })).toBe(5);
  expect(limitAt({ limit: null, timetable }, { day: 0, minute: 12 * 60 })).toBeNull();
});

it('limitAt() covers exactly the minutes of a period per week', () => {
  const clock = fc.integer({ min: 0, max: 1439 });
  const text = (at: number) =>
    `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
  fc.assert(
    fc.property(clock, clock, fc.uniqueArray(fc.integer({ min: 0, max: 6 })), (start, end, days) => {
      const timetable = [{ days, from: text(start), until: text(end), limit: 7 }];
      let covered = 0;
      for (let at = 0; at < 7 * 1440; at += 1) {
        const time = { day: Math.floor(at / 1440), minute: at % 1440 };
        if (limitAt({ limit: null, timetable }, time) === 7) covered += 1;
      }
      const length = end > start ? end - start : end - start + 1440;
      expect(covered).toBe(days.length * length);
    }),
    { numRuns: 20 },
  );
});

it('limitAt() uses local time', () => {
  const at = new Date(2030, 4, 17, 13, 45);
  expect(localWeekTime(at.getTime())).toEqual({ day: at.getDay(), minute: 13 * 60 + 45 });
});

it('limitAt() detects a period that ends the next day', () => {
  expect(endsNextDay({ from: '22:00', until: '06:00' })).toBe(true);
  expect(endsNextDay({ from: '12:00', until: '12:00' })).toBe(true);
  expect(endsNextDay({ from: '09:00', until: '10:00' })).toBe(false);
});
