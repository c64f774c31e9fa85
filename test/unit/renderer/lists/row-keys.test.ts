import { describe, expect, it } from 'vitest';
import { grownAtTop, nextRow } from '../../../../renderer/components/lists/long-rows.ts';

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

describe('a list that grows', () => {
  it('has grown at its top when all that was there follows', () => {
    expect(grownAtTop(['b', 'c'], ['a', 'b', 'c'])).toBe(true);
    expect(grownAtTop(['b', 'c'], ['y', 'z', 'b', 'c'])).toBe(true);
  });

  it('has not when it is as long, shorter, sorted again or grown elsewhere', () => {
    expect(grownAtTop(['a', 'b'], ['a', 'b'])).toBe(false);
    expect(grownAtTop(['a', 'b'], ['b'])).toBe(false);
    expect(grownAtTop(['a', 'b'], ['c', 'b', 'a'])).toBe(false);
    expect(grownAtTop(['a', 'b'], ['a', 'b', 'c'])).toBe(false);
    expect(grownAtTop([], ['a'])).toBe(false);
  });
});
