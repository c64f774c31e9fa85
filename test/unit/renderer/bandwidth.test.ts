import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { speak } from '../../../renderer/say.ts';
import {
  fromMegabytes,
  limitWords,
  parseTime,
  periodNote,
  toggleDay,
  toMegabytes,
} from '../../../renderer/words/bandwidth.ts';
import type { Period } from '../../../shared/timetable.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const work: Period = { days: [1, 2, 3, 4, 5], from: '08:00', until: '18:00', limit: 2.5e6 };
const night: Period = { days: [5], from: '22:00', until: '06:00', limit: null };

describe('a speed as it is typed', () => {
  it.each([
    ['20', 20e6],
    [' 2,5 ', 2.5e6],
    ['0.001', 1000],
    ['0', null],
    ['-3', null],
    ['fast', null],
    ['', null],
    ['1e3', null],
  ])('%s means %s bytes a second', (text, bytes) => {
    expect(fromMegabytes(text)).toBe(bytes);
  });

  it('comes back as it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e7 }), (thousands) => {
        expect(fromMegabytes(toMegabytes(thousands * 1000))).toBe(thousands * 1000);
      }),
    );
  });

  it('is said in the head of the window', () => {
    expect([limitWords(null), limitWords(20e6), limitWords(2.5e6), limitWords(500e3)].map(plain)).toEqual([
      'off',
      '20 MB/s',
      '2.5 MB/s',
      '500 kB/s',
    ]);
  });
});

describe('a time as it is typed', () => {
  it.each([
    ['8', '08:00'],
    ['8.30', '08:30'],
    ['830', '08:30'],
    ['18:00', '18:00'],
    ['23:59', '23:59'],
    ['24:00', null],
    ['8:7', null],
    ['noon', null],
  ])('%s is %s', (text, time) => {
    expect(parseTime(text)).toBe(time);
  });
});

describe('a period', () => {
  it('takes a day and gives it back, days in their order', () => {
    const more = toggleDay(work, 0);
    expect(more.days).toEqual([0, 1, 2, 3, 4, 5]);
    expect(toggleDay(more, 0)).toEqual(work);
  });

  it('says when it never counts and when it ends the next day', () => {
    expect(periodNote(work)).toBe('');
    expect(periodNote({ ...work, days: [] })).toMatch(/never applies/);
    expect(periodNote(night)).toBe('Ends at 06:00 the next day.');
    expect(periodNote({ ...work, until: '08:00' })).toMatch(/next day/);
  });
});

describe('in German', () => {
  beforeEach(() => speak({ language: 'de', locale: 'de-DE' }));
  afterEach(() => speak({ language: 'en', locale: 'en-GB' }));

  it('shows a speed with a comma and takes it back', () => {
    expect(toMegabytes(2.5e6)).toBe('2,5');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e7 }), (thousands) => {
        expect(fromMegabytes(toMegabytes(thousands * 1000))).toBe(thousands * 1000);
      }),
    );
  });

  it('says the limit and what is odd about a time', () => {
    expect([limitWords(null), limitWords(2.5e6)].map(plain)).toEqual(['aus', '2,5 MB/s']);
    expect(periodNote(night)).toBe('Endet um 06:00 am nächsten Tag.');
  });
});
