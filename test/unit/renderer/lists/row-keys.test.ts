import { describe, expect, it } from 'vitest';
import { changedAbove, nextRow } from '../../../../renderer/components/lists/long-rows.ts';

describe('nextRow()', () => {
  const moveFrom = (index: number) => (key: string) => nextRow(key, { index, count: 100, page: 10 });

  it('nextRow() moves by a row, a page or to an end', () => {
    const keys = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'];
    expect(keys.map(moveFrom(50))).toEqual([49, 51, 41, 59, 0, 99]);
  });

  it('nextRow() stays at the ends', () => {
    expect(['ArrowUp', 'PageUp', 'Home'].map(moveFrom(0))).toEqual([null, null, null]);
    expect(['ArrowDown', 'PageDown', 'End'].map(moveFrom(99))).toEqual([null, null, null]);
    expect(moveFrom(95)('PageDown')).toBe(99);
  });

  it('nextRow() ignores other keys', () => {
    expect(['Enter', ' ', 'a', 'Tab', 'ArrowLeft'].map(moveFrom(50))).toEqual([null, null, null, null, null]);
  });

  it('nextRow() moves on when a row is taller than the window', () => {
    expect(nextRow('PageDown', { index: 3, count: 100, page: 0 })).toBe(4);
  });
});

it.each([
  [['b', 'c'], ['a', 'b', 'c'], 0],
  [['b', 'c'], ['y', 'z', 'b', 'c'], 0],
  [['head', 'b', 'c'], ['head', 'a', 'b', 'c'], 1],
  [['head', 'a', 'head-2', 'b', 'c'], ['a', 'b', 'c'], 3],
  [['a', 'b'], ['b'], 1],
])(
  'changedAbove() finds the change from %j to %j in the first %i rows',
  (earlierIds, laterIds, rowsAbove) => {
    expect(changedAbove(earlierIds, laterIds)).toBe(rowsAbove);
  },
);

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
])('changedAbove() returns null for %j and %j, which differ elsewhere', (earlierIds, laterIds) => {
  expect(changedAbove(earlierIds, laterIds)).toBeNull();
});
