import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPathFits, patternsBelow } from '../../../../main/files/left-out/path-patterns.ts';

it('patternsBelow() keeps patterns of any depth, shortens anchored ones and drops foreign ones', () => {
  const lines = ['*.bak', 'raw/', '/scans/raw/', 'scans/*.tif', '/other/x', '!scans/keep.tif', '# a note'];
  expect(patternsBelow(lines, ['scans'])).toEqual(['*.bak', 'raw/', '/raw/', '/*.tif', '!/keep.tif']);
  expect(patternsBelow(lines, [])).toBe(lines);
});

it('patternsBelow() matches any number of names by `**`', () => {
  expect(patternsBelow(['**/a/b', 'x/**/y', 'x/**'], ['x'])).toEqual(['/**/a/b', '/**/y', '/**']);
  expect(patternsBelow(['**/a/b'], ['x', 'a'])).toEqual(['/**/a/b', '/b']);
});

it('patternsBelow() is equivalent to the original unless a parent is ignored', () => {
  const names = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 });
  const piece = fc.constantFrom('a', 'b', 'c', '*', '**', '[ab]', '?');
  const line = fc
    .tuple(fc.boolean(), fc.boolean(), fc.array(piece, { minLength: 1, maxLength: 4 }), fc.boolean())
    .map(
      ([no, anchored, pieces, folder]) =>
        `${no ? '!' : ''}${anchored ? '/' : ''}${pieces.join('/')}${folder ? '/' : ''}`,
    );
  let comparedCount = 0;
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 4 }),
      names,
      names,
      fc.boolean(),
      (lines, way, path, isFolder) => {
        const fitsAbove = createPathFits(lines);
        const isOpen = way.every((_, index) => !fitsAbove(way.slice(0, index + 1).join('/'), true));
        if (!isOpen) return;
        comparedCount++;
        const fitsBelow = createPathFits(patternsBelow(lines, way));
        expect(fitsBelow(path.join('/'), isFolder)).toBe(fitsAbove([...way, ...path].join('/'), isFolder));
      },
    ),
    { numRuns: 3_000 },
  );
  expect(comparedCount).toBeGreaterThan(500);
});
