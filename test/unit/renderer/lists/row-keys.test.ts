import { describe, expect, it } from 'vitest';
import { changedAbove, nextRow } from '../../../../renderer/components/lists/long-rows.ts';

describe('the keys of a list', () => {
  const from = (index: number) => (key: string) => nextRow(key, { index, count: 100, page: 10 });

  it('lead a row, a windowful or all the way', () => {
    const keys = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'];
    expect(keys.map(from(50))).toEqual([49, 51, 41, 59, 0, 99]);
  });

  it('stop at the ends', () => {
    expect(['ArrowUp', 'PageUp', 'Home'].map(from(0))).toEqual([null, null, null]);
    expect(['ArrowDown', 'PageDown', 'End'].map(from(99))).toEqual([null, null, null]);
    expect(from(95)('PageDown')).toBe(99);
  });

  it('are no others', () => {
    expect(['Enter', ' ', 'a', 'Tab', 'ArrowLeft'].map(from(50))).toEqual([null, null, null, null, null]);
  });

  it('lead on where a row is taller than the window', () => {
    expect(nextRow('PageDown', { index: 3, count: 100, page: 0 })).toBe(4);
  });
});

describe('a list that changes above what someone reads', () => {
  it.each([
    [['b', 'c'], ['a', 'b', 'c'], 0],
    [['b', 'c'], ['y', 'z', 'b', 'c'], 0],
    [['head', 'b', 'c'], ['head', 'a', 'b', 'c'], 1],
    [['head', 'a', 'head-2', 'b', 'c'], ['a', 'b', 'c'], 3],
    [['a', 'b'], ['b'], 1],
  ])('%j, now %j, has changed in its first %i', (before, now, above) => {
    expect(changedAbove(before, now)).toBe(above);
  });

  it.each([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [
      ['a', 'b'],
      ['c', 'b', 'a'],
    ],
    [
      ['a', 'b'],
      ['a', 'b', 'c'],
    ],
    [[], ['a']],
  ])('%j, now %j, has not changed there alone', (before, now) => {
    expect(changedAbove(before, now)).toBeNull();
  });
});
