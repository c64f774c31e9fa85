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

describe('a typed speed', () => {
  it.each([
    ['20', 20e6],
    [' 2,5 ', 2.5e6],
    ['0.001', 1000],
    ['0', null],
    ['-3', null],
    ['fast', null],
    ['', null],
    ['1e3', null],
  ])('%s is %s bytes a second', (text, bytes) => expect(fromMegabytes(text)).toBe(bytes));

  it('a typed speed survives conversion to megabytes and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e7 }), (thousands) => {
        expect(fromMegabytes(toMegabytes(thousands * 1000))).toBe(thousands * 1000);
      }),
    );
  });

  it('a typed speed appears in the window header', () => {
    expect([limitWords(null), limitWords(20e6), limitWords(2.5e6), limitWords(500e3)].map(plain)).toEqual([
      'off',
      '20 MB/s',
      '2.5 MB/s',
      '500 kB/s',
    ]);
  });
});

it.each([
  ['8', '08:00'],
  ['8.30', '08:30'],
  ['830', '08:30'],
  ['18:00', '18:00'],
  ['23:59', '23:59'],
  ['24:00', null],
  ['8:7', null],
  ['noon', null],
])('parseTime() parses %s as %s', (text, time) => expect(parseTime(text)).toBe(time));

it('a period adds and removes days, in order', () => {
  const extended = toggleDay(work, 0);
  expect(extended.days).toEqual([0, 1, 2, 3, 4, 5]);
  expect(toggleDay(extended, 0)).toEqual(work);
});

it('a period says when it never applies and when it ends the next day', () => {
  expect(periodNote(work)).toBe('');
  expect(periodNote({ ...work, days: [] })).toMatch(/never applies/);
  expect(periodNote(night)).toBe('Ends at 06:00 the next day.');
  expect(periodNote({ ...work, until: '08:00' })).toMatch(/next day/);
});

describe('bandwidth in German', () => {
  beforeEach(() => speak({ language: 'de', locale: 'de-DE' }));
  afterEach(() => speak({ language: 'en', locale: 'en-GB' }));

  it('bandwidth in German: converts speeds with a decimal comma', () => {
    expect(toMegabytes(2.5e6)).toBe('2,5');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e7 }), (thousands) => {
        expect(fromMegabytes(toMegabytes(thousands * 1000))).toBe(thousands * 1000);
      }),
    );
  });

  it('bandwidth in German: describes the limit and odd times', () => {
    expect([limitWords(null), limitWords(2.5e6)].map(plain)).toEqual(['aus', '2,5 MB/s']);
    expect(periodNote(night)).toBe('Endet um 06:00 am nächsten Tag.');
  });
});
