import { expect, it } from 'vitest';
import { whatChanged } from '../../../../main/watch/state/what-changed.ts';

const file = (key: string, size = 1, mtimeMs = 1_000) => ({ path: `/in/${key}`, key, size, mtimeMs });
const ask = (
  before: readonly { key: string; size: number; mtimeMs: number | null }[],
  now: readonly string[],
) =>
  whatChanged(
    before,
    now.map((key) => file(key)),
  );

it('whatChanged() names up to three changed, added and removed files each', async () => {
  const before = [
    file('a', 2),
    file('b', 1, 2_000),
    file('c'),
    ...['d', 'e', 'f', 'g'].map((key) => file(key)),
  ];
  expect(await ask(before, ['a', 'b', 'c', 'x', 'y'])).toEqual({
    changed: { count: 2, names: ['a', 'b'] },
    added: { count: 2, names: ['x', 'y'] },
    removed: { count: 4, names: ['d', 'e', 'f'] },
  });
});

it('whatChanged() returns null if at most derived files differ', async () => {
  expect(
    await ask([file('a.tif'), file('a.tif.ovr', 7)], ['a.tif', 'a.tif.ovr', 'a.tif.aux.xml']),
  ).toBeNull();
});

it('whatChanged() compares sizes if times are unknown', async () => {
  expect(await ask([{ key: 'a', size: 1, mtimeMs: null }], ['a'])).toBeNull();
  expect(await ask([{ key: 'a', size: 2, mtimeMs: null }], ['a'])).toMatchObject({ changed: { count: 1 } });
});
