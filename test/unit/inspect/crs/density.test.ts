import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DensitySoFar, ExtentSoFar, middleOf } from '../../../../main/inspect/crs/density.ts';
import type { LonLat } from '../../../../shared/source.ts';

function densityOf(places: readonly LonLat[]) {
  const soFar = new DensitySoFar();
  for (const place of places) soFar.add(place);
  const { size, cells } = soFar.density;
  return { size, cells: cells.toSorted(([a, b], [c, d]) => a - c || b - d) };
}
const place = fc.tuple(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.double({ min: -90, max: 90, noNaN: true }),
);

it('a density is independent of order, bounded and complete', () => {
  fc.assert(
    fc.property(fc.array(place, { minLength: 2_001, maxLength: 2_500 }), (places) => {
      const density = densityOf(places);
      expect(densityOf(places.toReversed())).toEqual(density);
      expect(density.cells.length).toBeLessThanOrEqual(2_000);
      expect(density.cells.reduce((sum, [, , count]) => sum + count, 0)).toBe(places.length);
    }),
    { numRuns: 10 },
  );
});

it('a density is fine when files are close together', () => {
  const { size, cells } = densityOf([
    [9.0001, 50.0001],
    [9.0002, 50.0002],
    [9.002, 50.0001],
  ]);
  expect(cells.map(([, , count]) => count)).toEqual([2, 1]);
  expect(size).toBeLessThan(0.002);
});

describe('an extent', () => {
  const extentOf = (...polygonRings: readonly (readonly LonLat[])[]) => {
    const soFar = new ExtentSoFar();
    for (const ring of polygonRings) soFar.add(ring);
    return soFar.extent;
  };

  it('an extent takes the shorter way round, also across the date line', () => {
    expect(extentOf([[-5, 40]], [[12, 55]])).toEqual({ west: -5, south: 40, east: 12, north: 55 });
    expect(extentOf([[179, -17]], [[-178, -16]])).toEqual({ west: 179, south: -17, east: -178, north: -16 });
    expect(extentOf()).toBeNull();
  });

  it('an extent has its middle on its own side of the date line', () => {
    expect(
      middleOf([
        [9, 50],
        [11, 52],
      ]),
    ).toEqual([10, 51]);
    expect(
      middleOf([
        [179, -18],
        [-177, -16],
      ]),
    ).toEqual([-179, -17]);
  });
});
