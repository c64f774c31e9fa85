import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bandwidth, limitAt, localWeekTime, secondsToSend } from '../../../main/transfer/bandwidth.ts';

const workdays = [1, 2, 3, 4, 5];
const minute = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
const office: Bandwidth = {
  limit: 1_000,
  timetable: [
    { days: workdays, from: '08:00', until: '18:00', limit: 10 },
    { days: [5], from: '22:00', until: '06:00', limit: null },
  ],
};

describe('the limit of the hour', () => {
  it.each([
    ['within a period', 1, '08:00', 10],
    ['until its last minute', 1, '17:59', 10],
    ['at its end', 1, '18:00', 1_000],
    ['on another day', 0, '12:00', 1_000],
    ['in a period over midnight, before it', 5, '23:00', null],
    ['in a period over midnight, after it, on the next day', 6, '05:59', null],
    ['not on the morning of the day on which such a period begins', 5, '05:00', 1_000],
  ] as const)('counts %s', (_name, day, time, expected) => {
    expect(limitAt(office, { day, minute: minute(time) })).toBe(expected);
  });

  it('is that of the first period that fits', () => {
    const both = { days: [1], from: '00:00', until: '23:59', limit: 1 };
    expect(limitAt({ limit: null, timetable: [both, { ...both, limit: 2 }] }, { day: 1, minute: 60 })).toBe(
      1,
    );
  });

  it('takes a period that ends when it begins for a whole day', () => {
    const timetable = [{ days: [6], from: '12:00', until: '12:00', limit: 5 }];
    expect(limitAt({ limit: null, timetable }, { day: 0, minute: 11 * 60 })).toBe(5);
    expect(limitAt({ limit: null, timetable }, { day: 0, minute: 12 * 60 })).toBeNull();
  });

  it('covers as many minutes of the week as a period has', () => {
    const clock = fc.integer({ min: 0, max: 1439 });
    const text = (at: number) =>
      `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
    fc.assert(
      fc.property(clock, clock, fc.uniqueArray(fc.integer({ min: 0, max: 6 })), (from, until, days) => {
        const timetable = [{ days, from: text(from), until: text(until), limit: 7 }];
        let covered = 0;
        for (let at = 0; at < 7 * 1440; at += 1) {
          const time = { day: Math.floor(at / 1440), minute: at % 1440 };
          if (limitAt({ limit: null, timetable }, time) === 7) covered += 1;
        }
        const length = until > from ? until - from : until - from + 1440;
        expect(covered).toBe(days.length * length);
      }),
      { numRuns: 20 },
    );
  });

  it('goes by the clock on the wall', () => {
    const at = new Date(2030, 4, 17, 13, 45);
    expect(localWeekTime(at.getTime())).toEqual({ day: at.getDay(), minute: 13 * 60 + 45 });
  });
});

describe('the time that bytes take', () => {
  /** 1970 began on a Thursday. */
  const utc = (at: number) => ({
    day: (4 + Math.floor(at / 86_400_000)) % 7,
    minute: Math.floor((at % 86_400_000) / 60_000),
  });
  const fridayNoon = 86_400_000 + 12 * 3_600_000;
  const seconds = (bytes: number, rate: number, bandwidth = office, at = fridayNoon) =>
    secondsToSend(bytes, rate, bandwidth, at, utc);

  it('is bytes over the rate, or over the limit where that is lower', () => {
    expect(seconds(0, 5)).toBe(0);
    expect(seconds(5_000, 5, { limit: null, timetable: [] })).toBe(1_000);
    expect(seconds(5_000, 5, { limit: 2, timetable: [] })).toBe(2_500);
    expect(seconds(1_000, 1_000)).toBe(100);
  });

  it('goes on with the limit of each hour that comes', () => {
    // Six hours at 10, four at 1,000, and the rest at the line’s own 5,000.
    const before = 6 * 3_600 * 10 + 4 * 3_600 * 1_000;
    expect(seconds(before + 50_000, 5_000)).toBe(10 * 3_600 + 10);
    expect(seconds(before + 50_000, 5_000, office, fridayNoon + 30_500)).toBeCloseTo(
      10 * 3_600 - 30.5 + 10 + (30.5 * 10) / 5_000,
      6,
    );
  });

  it('is the same as minute by minute, for any timetable', () => {
    const time = fc.integer({ min: 0, max: 1439 }).map((one) => {
      const two = (value: number) => String(value).padStart(2, '0');
      return `${two(Math.floor(one / 60))}:${two(one % 60)}`;
    });
    const period = fc.record({
      days: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
      from: time,
      until: time,
      limit: fc.constantFrom(null, 1, 7, 50),
    });
    fc.assert(
      fc.property(
        fc.array(period, { maxLength: 4 }),
        fc.integer({ min: 1, max: 3_000_000 }),
        fc.integer({ min: 0, max: 1e10 }),
        (timetable, bytes, at) => {
          const bandwidth = { limit: 20, timetable };
          let [left, now] = [bytes, at];
          for (;;) {
            const rate = Math.min(30, limitAt(bandwidth, utc(now)) ?? 30);
            const ms = 60_000 - (now % 60_000);
            if ((rate * ms) / 1000 >= left || now - at > 6.9 * 86_400_000) break;
            left -= (rate * ms) / 1000;
            now += ms;
          }
          if (now - at > 6.9 * 86_400_000) return;
          const rate = Math.min(30, limitAt(bandwidth, utc(now)) ?? 30);
          expect(seconds(bytes, 30, bandwidth, at)).toBeCloseTo((now - at) / 1000 + left / rate, 3);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is told for months, too', () => {
    const year = 365 * 86_400;
    expect(seconds(year * 1_000, 1_000)).toBeGreaterThan(year);
    expect(seconds(year * 1_000, 1_000)).toBeLessThan(2 * year);
  });
});
