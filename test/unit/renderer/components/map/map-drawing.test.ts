import { describe, expect, it } from 'vitest';
import {
  boundsOf,
  drawMap,
  type Ring,
  type World,
} from '../../../../../renderer/components/map/map-drawing.ts';

const square = (west: number, south: number, width: number): Ring => [
  [west, south],
  [west, south + width],
  [west + width, south + width],
  [west + width, south],
  [west, south],
];
/** A quarter of the globe, halved. */
const world: World = {
  land: { type: 'MultiPolygon', coordinates: [[square(0, 0, 80).map(([lon, lat]) => [lon, lat])]] },
  borders: {
    type: 'MultiLineString',
    coordinates: [
      [
        [0, 40],
        [80, 40],
      ],
    ],
  },
};
const size = { width: 380, height: 500 };
const inset = { width: 150, height: 110 };
const draw = (...rings: readonly Ring[]) => drawMap(rings, world, size, inset);
const numbersOf = (path: string) => path.match(/-?[\d.]+(?:e-?\d+)?/g)?.map(Number) ?? [];

describe('a map of outlines', () => {
  it('shows them in the middle with land and borders around', () => {
    const { outlines, land, borders } = draw(square(9, 50, 4));
    expect(outlines).toHaveLength(1);
    const xs = numbersOf(outlines[0] ?? '').filter((_, index) => index % 2 === 0);
    expect((Math.min(...xs) + Math.max(...xs)) / 2).toBeCloseTo(size.width / 2, -1);
    expect(land).not.toBe('');
    expect(borders === '' || borders.startsWith('M')).toBe(true);
  });

  it('shows what is too small as a dot, and once more in large', () => {
    const small = draw(square(9, 50, 0.01), square(9.01, 50, 0.01));
    expect(small.outlines.every((path) => path.includes('a'))).toBe(true);
    expect(small.inset).toHaveLength(2);
    expect(small.inset?.some((path) => path.includes('a'))).toBe(false);
    expect(draw(square(9, 50, 4)).inset).toBeNull();
  });

  it('says how large they are together, and gives a round length', () => {
    const { extent, scale } = draw(square(9, 50, 0.01));
    expect(extent.height).toBeCloseTo(1112, -1);
    expect(extent.width).toBeCloseTo(715, -1);
    expect([1, 2, 5]).toContain(Number(String(scale.metres)[0]));
    expect(scale.pixels).toBeGreaterThan(size.width / 9);
    expect(scale.pixels).toBeLessThanOrEqual(size.width / 3);
  });

  it.each([
    ['over the date line', square(179, -18, 2)],
    ['at a pole', square(0, 89, 0.9)],
    ['around the globe', square(-179, -80, 159)],
  ])('draws what lies %s', (_, ring) => {
    const { outlines, extent } = draw(ring);
    expect(numbersOf(outlines[0] ?? '').every(Number.isFinite)).toBe(true);
    expect(outlines[0]).not.toBe('');
    expect(extent.width).toBeGreaterThan(0);
  });

  it('tells the sides of an outline, also over the date line', () => {
    expect(boundsOf(square(9, 50, 0.01)).map((side) => Number(side.toFixed(3)))).toEqual([
      9, 50, 9.01, 50.01,
    ]);
    const [west, , east] = boundsOf(
      square(179, -1, 2).map(([lon, lat]) => [lon > 180 ? lon - 360 : lon, lat]),
    );
    expect([west, east]).toEqual([179, -179]);
  });
});
