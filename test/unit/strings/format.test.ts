import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  formatArea,
  formatBytes,
  formatBytesOf,
  formatCount,
  formatDay,
  formatDuration,
  formatExtent,
  formatMinutes,
  formatPercent,
  formatRate,
  formatRoughRate,
  formatWhen,
  speak,
} from '../../../renderer/say.ts';
import { clampFraction } from '../../../strings/format/number.ts';

/** Formatters join number and unit with a no-break space. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

it('formatted bytes use decimal units and name single bytes', () => {
  expect([0, 1, 999, 1000, 812_000_000, 18_600_000_000, 2e15].map((n) => plain(formatBytes(n)))).toEqual([
    '0 bytes',
    '1 byte',
    '999 bytes',
    '1.0 kB',
    '812.0 MB',
    '18.6 GB',
    '2.0 PB',
  ]);
});

it('formatted bytes never round up to a thousand of a unit', () => {
  fc.assert(
    fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (bytes) => {
      const figure = Number(plain(formatBytes(bytes)).split(' ')[0]?.replaceAll(',', ''));
      expect(figure).toBeLessThan(bytes >= 1e18 ? Infinity : 10_000);
      expect(plain(formatBytes(bytes))).not.toMatch(/^1000/);
    }),
  );
  expect(plain(formatBytes(999_960))).toBe('1.0 MB');
});

it('formatted bytes of a part use the unit of the total', () => {
  expect(plain(formatBytesOf(11_700_000_000, 18_600_000_000))).toBe('11.7 of 18.6 GB');
  expect(plain(formatBytesOf(0, 18))).toBe('0 of 18 bytes');
});

it('formatted bytes per second show a speed', () =>
  expect(plain(formatRate(41_800_000.4))).toBe('41.8 MB/s'));

it('formatted bytes per second may be rounded', () => {
  expect([500, 2_000_000, 2_540_000, 31_400_000].map((rate) => plain(formatRoughRate(rate)))).toEqual([
    '500 bytes/s',
    '2 MB/s',
    '2.5 MB/s',
    '31 MB/s',
  ]);
});

it('formatted numbers show 100 % only when everything is done', () => {
  expect(plain(formatPercent(0.99999))).toBe('99 %');
  expect(plain(formatPercent(1))).toBe('100 %');
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (fraction) => {
      expect(plain(formatPercent(fraction))).not.toBe('100 %');
    }),
  );
});

it('formatted numbers limit any fraction to 0 to 1', () => {
  fc.assert(
    fc.property(fc.double(), (fraction) => {
      expect(clampFraction(fraction)).toBeGreaterThanOrEqual(0);
      expect(clampFraction(fraction)).toBeLessThanOrEqual(1);
    }),
  );
});

describe('formatted times', () => {
  it('formatted times have two units at most', () => {
    const minute = 60_000;
    expect(
      [0, 400, 47_000, minute, 167_000, 59.999 * minute, 72 * minute, 51 * 60 * minute].map((ms) =>
        plain(formatDuration(ms)),
      ),
    ).toEqual(['0 s', '0 s', '47 s', '1 min', '2 min 47 s', '1 h', '1 h 12 min', '2 d 3 h']);
  });

  it('formatted waits are in whole minutes', () => {
    expect([30_000, 60_000, 570_000].map((ms) => plain(formatMinutes(ms)))).toEqual([
      'less than a minute',
      '1 minute',
      '9 minutes',
    ]);
  });

  it('formatted times name the day unless it is today', () => {
    const now = new Date(2026, 10, 20, 14, 30).getTime();
    expect(formatWhen(new Date(2026, 10, 20, 0, 5).getTime(), now)).toBe('00:05');
    expect(formatWhen(new Date(2026, 10, 19, 23, 59).getTime(), now)).toBe('yesterday 23:59');
    expect(formatWhen(new Date(2026, 10, 3, 9, 0).getTime(), now)).toBe('3 Nov 09:00');
    expect(formatWhen(new Date(2025, 10, 20, 9, 0).getTime(), now)).toBe('20 Nov 2025');
  });

  it('formatted times name yesterday across the new year', () => {
    const now = new Date(2026, 0, 1, 8, 0).getTime();
    expect(formatWhen(new Date(2025, 11, 31, 22, 0).getTime(), now)).toBe('yesterday 22:00');
  });
});

describe('formatted values in German', () => {
  beforeEach(() => speak({ language: 'de', locale: 'de-DE' }));
  afterEach(() => speak({ language: 'en', locale: 'en-GB' }));

  it('formatted values in German use a decimal comma and thousands points', () => {
    expect(formatCount(1284)).toBe('1.284');
    expect(plain(formatBytes(18_600_000_000))).toBe('18,6 GB');
    expect(plain(formatBytesOf(11_700_000_000, 18_600_000_000))).toBe('11,7 von 18,6 GB');
    expect([2_540_000, 41_800_000].map((rate) => plain(formatRoughRate(rate)))).toEqual([
      '2,5 MB/s',
      '42 MB/s',
    ]);
  });

  it('formatted values in German have German words for bytes and waits', () => {
    expect([1, 812].map((bytes) => plain(formatBytes(bytes)))).toEqual(['1 Byte', '812 Byte']);
    expect([30_000, 60_000, 570_000].map((ms) => plain(formatMinutes(ms)))).toEqual([
      'weniger als eine Minute',
      '1 Minute',
      '9 Minuten',
    ]);
  });

  it('formatted values in German write days like German calendars', () => {
    const now = new Date(2026, 10, 20, 14, 30).getTime();
    expect(formatWhen(new Date(2026, 10, 19, 23, 59).getTime(), now)).toBe('gestern 23:59');
    expect(formatWhen(new Date(2026, 10, 3, 9, 0).getTime(), now)).toBe('3. Nov. 09:00');
    expect(formatDay(new Date(2025, 10, 20).getTime())).toBe('20.11.2025');
  });
});

describe('areas of use', () => {
  const newZealand = { west: 160.6, south: -55.95, east: -171.2, north: -25.88 };
  const area = { text: 'New Zealand', bounds: newZealand };

  it('name both sides of the equator and of the date line', () => {
    speak({ language: 'en', locale: 'en-GB' });
    expect(plain(formatExtent(newZealand))).toBe('55.95° S to 25.88° S, 160.6° E to 171.2° W');
  });

  it('are EPSG’s text in English, and degrees in other languages', () => {
    speak({ language: 'en', locale: 'en-GB' });
    expect(formatArea(area)).toBe('New Zealand');
    speak({ language: 'de', locale: 'de-DE' });
    expect(plain(formatArea(area))).toBe('55,95° S bis 25,88° S, 160,6° O bis 171,2° W');
  });
});

it('formats follow the locale within a language', () => {
  speak({ language: 'en', locale: 'en-US' });
  const afternoon = new Date(2026, 10, 20, 14, 30).getTime();
  expect(formatWhen(afternoon, afternoon).replace(/\s/, ' ')).toBe('02:30 PM');
  expect(formatDay(afternoon)).toBe('Nov 20, 2026');
  speak({ language: 'en', locale: 'en-GB' });
  expect(formatWhen(afternoon, afternoon)).toBe('14:30');
});
