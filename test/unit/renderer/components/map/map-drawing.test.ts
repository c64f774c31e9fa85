import { describe, expect, it } from 'vitest';
import {
  boundsOf,
  drawAround,
  drawMap,
  type Ring,
} from '../../../../../renderer/components/map/map-drawing.ts';
import type { World } from '../../../../../renderer/components/map/map-model.ts';

const square = (west: number, south: number, width: number): Ring => [
  [west, south],
  [west, south + width],
  [west + width, south + width],
  [west + width, south],
  [west, south],
];
const shifted = (ring: Ring, north: number): Ring => ring.map(([lon, lat]) => [lon, lat + north]);
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

describe('drawMap()', () => {
  it('centres the outlines between land and borders', () => {
    const { outlines, land, borders } = draw(square(9, 50, 4));
    expect(outlines).toHaveLength(1);
    const xs = numbersOf(outlines[0] ?? '').filter((_, index) => index % 2 === 0);
    expect((Math.min(...xs) + Math.max(...xs)) / 2).toBeCloseTo(size.width / 2, -1);
    expect(land).not.toBe('');
    expect(borders === '' || borders.startsWith('M')).toBe(true);
  });

  it('shows tiny outlines as a dot and in an inset', () => {
    const small = draw(square(9, 50, 0.01), square(9.01, 50, 0.01));
    expect(small.outlines.every((path) => path.includes('a'))).toBe(true);
    expect(small.inset).toHaveLength(2);
    expect(small.inset?.some((path) => path.includes('a'))).toBe(false);
    expect(draw(square(9, 50, 4)).inset).toBeNull();
  });

  it('shows photos as dots, also in the inset', () => {
    const photo = (lon: number) => square(lon, 50, 1e-5);
    const flight = [0, 1, 2, 3, 4].map((at) => photo(9 + at * 0.001));
    const { outlines, inset: large } = draw(...flight);
    for (const path of [...outlines, ...(large ?? [])]) expect(path).toMatch(/^M-?[\d.]+,-?[\d.]+m0,3a/);
    const places = large?.map((path) => numbersOf(path)[0] ?? 0) ?? [];
    expect((places[4] ?? 0) - (places[0] ?? 0)).toBeGreaterThan(100);
    const { path, neighbours } = drawAround(photo(9), [photo(9), photo(9.00001)], inset);
    for (const dot of [path, ...neighbours.map((neighbour) => neighbour.path)])
      expect(dot).toContain('m0,3a');
    expect(draw(photo(9)).inset?.[0]).toContain('m0,3a');
  });

  it('shows a cluster in the inset even if one outline lies far away', () => {
    const rings = Array.from({ length: 12 }, (_, at) => square(9 + 0.01 * (at % 4), 52 + 0.01 * at, 0.01));
    const far = square(11.5, 48, 0.01);
    const { inset, place } = draw(...rings, far);
    expect(inset?.[12]).toBe('');
    expect(numbersOf(inset?.[0] ?? '').length).toBeGreaterThan(4);
    const { inset: large, pixels } = place(rings[0] ?? far);
    expect(large).toBe(inset?.[0]);
    expect(pixels).toBeGreaterThan(6);
    // Two equal halves have no main place.
    expect(draw(...rings, ...rings.map((ring) => shifted(ring, -4))).inset).toBeNull();
  });

  it('locates a ring that is not among its outlines', () => {
    const { place } = draw(square(7, 50, 4));
    const { outline, inset, pixels } = place(square(9, 52, 0.01));
    expect(outline).toContain('a');
    expect(inset).toBeNull();
    expect(pixels).toBeLessThan(2);
  });

  it('zooms on a ring and its neighbours, not on those beyond', () => {
    const rings = Array.from({ length: 30 }, (_, at) => square(9 + 0.01 * at, 52, 0.01));
    const [ring = []] = rings;
    const { path, neighbours } = drawAround(ring, rings, inset);
    const xs = numbersOf(path).filter((_, index) => index % 2 === 0);
    expect(Math.max(...xs) - Math.min(...xs)).toBeGreaterThan(14);
    const drawn = neighbours.map(({ index }) => index);
    expect(drawn).toContain(1);
    expect(drawn).not.toContain(0);
    expect(drawn).not.toContain(29);
    expect(drawAround(ring, [ring], inset).neighbours).toEqual([]);
  });

  it('uses a round length for its scale', () => {
    const { scale } = draw(square(9, 50, 0.01));
    expect([1, 2, 5]).toContain(Number(String(scale.metres)[0]));
    expect(scale.pixels).toBeGreaterThan(size.width / 9);
    expect(scale.pixels).toBeLessThanOrEqual(size.width / 3);
  });

  it.each([
    ['over the date line', square(179, -18, 2)],
    ['at a pole', square(0, 89, 0.9)],
    ['around the globe', square(-179, -80, 159)],
  ])('draws a ring %s', (_, ring) => {
    const { outlines, place } = draw(ring);
    expect(numbersOf(outlines[0] ?? '').every(Number.isFinite)).toBe(true);
    expect(outlines[0]).not.toBe('');
    expect(place(ring).outline).toBe(outlines[0]);
  });

  it('returns the bounds of an outline, also across the date line', () => {
    expect(boundsOf(square(9, 50, 0.01)).map((side) => Number(side.toFixed(3)))).toEqual([
      9, 50, 9.01, 50.01,
    ]);
    const [west, , east] = boundsOf(
      square(179, -1, 2).map(([lon, lat]) => [lon > 180 ? lon - 360 : lon, lat]),
    );
    expect([west, east]).toEqual([179, -179]);
  });
});
