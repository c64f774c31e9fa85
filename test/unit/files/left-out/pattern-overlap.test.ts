import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPathFits } from '../../../../main/files/left-out/path-patterns.ts';
import { canOverlap } from '../../../../main/files/left-out/pattern-overlap.ts';

describe('canOverlap()', () => {
  it.each([
    ['*.tif', '*.las'],
    ['*.tif', '*.tiff'],
    ['a_*.tif', 'b_*.tif'],
    ['/east/*.tif', '/west/*.tif'],
    ['east/**/*.tif', 'west/**/*.las'],
    ['ortho.tif', 'dtm.tif'],
    ['*.tif', '!*.tif'],
    ['scans/*.laz', 'deep/scans/*.laz'],
  ])('returns false for %s and %s', (a, b) => {
    expect([canOverlap(a, b), canOverlap(b, a)]).toEqual([false, false]);
  });

  it.each([
    ['*.tif', '*.TIF'],
    ['*.tif', 'ortho_*'],
    ['*', '*.las'],
    ['*.tif', 'east/*.tif'],
    ['east/', '*.las'],
    ['east', '*.las'],
    ['a*.tif', '*b.tif'],
    ['?.tif', '[ab].tif'],
    ['**/x/*.tif', 'x/**'],
    ['dtm_??.tif', 'dtm_*1.tif'],
  ])('returns true for %s and %s', (a, b) => {
    expect([canOverlap(a, b), canOverlap(b, a)]).toEqual([true, true]);
  });

  it('never returns false for patterns that match the same file', () => {
    const name = fc.stringMatching(/^[abx*?]{1,4}(\.(ti|la|\*))?$/);
    const line = fc
      .array(fc.oneof(name, fc.constant('**')), { minLength: 1, maxLength: 3 })
      .map((all) => all.join('/'));
    const path = fc.array(fc.stringMatching(/^[abx]{1,3}$/), { maxLength: 2 });
    const file = fc.stringMatching(/^[abx]{1,3}(\.(ti|la))?$/);
    fc.assert(
      fc.property(line, line, path, file, (a, b, folders, last) => {
        const place = [...folders, last].join('/');
        const both = createPathFits([a])(place, false) && createPathFits([b])(place, false);
        if (both) expect(canOverlap(a, b), `${a} ${b} ${place}`).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});
