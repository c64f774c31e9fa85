import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secondsToSend } from '../../../main/transfer/bandwidth.ts';
import { type Bandwidth, limitAt } from '../../../shared/timetable.ts';

const workdays = [1, 2, 3, 4, 5];
const office: Bandwidth = {
  limit: 1_000,
  timetable: [
    { days: workdays, from: '08:00', until: '18:00', limit: 10 },
    { days: [5], from: '22:00', until: '06:00', limit: null },
  ],
};

describe('secondsToSend()', () => {
  /** 1970 began on a Thursday. */
  const utc = (at: number) => ({
    day: (4 + Math.floor(at / 86_400_000)) % 7,
    minute: Math.floor((at % 86_400_000) / 60_000),
  });
  const fridayNoon = 86_400_000 + 12 * 3_600_000;
  const seconds = (bytes: number, rate: number, bandwidth = office, at = fridayNoon) =>
    secondsToSend(bytes, rate, bandwidth, at, utc);

  it('secondsToSend() divides bytes by the rate, or by a lower limit', () => {
    expect(seconds(0, 5)).toBe(0);
    expect(seconds(5_000, 5, { limit: null, timetable: [] })).toBe(1_000);
    expect(seconds(5_000, 5, { limit: 2, timetable: [] })).toBe(2_500);
    expect(seconds(1_000, 1_000)).toBe(100);
  });

  it('secondsToSend() applies the limit of each following hour', () => {
    const previous = 6 * 3_600 * 10 + 4 * 3_600 * 1_000;
    expect(seconds(previous + 50_000, 5_000)).toBe(10 * 3_600 + 10);
    expect(seconds(previous + 50_000, 5_000, office, fridayNoon + 30_500)).toBeCloseTo(
      10 * 3_600 - 30.5 + 10 + (30.5 * 10) / 5_000,
      6,
    );
  });

  it('secondsToSend() agrees with a minute-by-minute count for any timetable', () => {
    const time = fc.integer({ min: 0, max: 1439 }).map((item) => {
      const two = (value: number) => String(value).padStart(2, '0');
      return `${two(Math.floor(item / 60))}:${two(item % 60)}`;
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
          let [bytesLeft, now] = [bytes, at];
          for (;;) {
            const rate = Math.min(30, limitAt(bandwidth, utc(now)) ?? 30);
            const ms = 60_000 - (now % 60_000);
            if ((rate * ms) / 1000 >= bytesLeft || now - at > 6.9 * 86_400_000) break;
            bytesLeft -= (rate * ms) / 1000;
            now += ms;
          }
          if (now - at > 6.9 * 86_400_000) return;
          const rate = Math.min(30, limitAt(bandwidth, utc(now)) ?? 30);
          expect(seconds(bytes, 30, bandwidth, at)).toBeCloseTo((now - at) / 1000 + bytesLeft / rate, 3);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('secondsToSend() forecasts months', () => {
    const year = 365 * 86_400;
    expect(seconds(year * 1_000, 1_000)).toBeGreaterThan(year);
    expect(seconds(year * 1_000, 1_000)).toBeLessThan(2 * year);
  });
});
