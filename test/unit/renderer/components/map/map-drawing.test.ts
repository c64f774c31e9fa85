import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundsOf, drawMap, hits } from '../../../../../renderer/components/map/map-drawing.ts';
import type { World } from '../../../../../renderer/components/map/map-model.ts';
import {
  clusterOf,
  createProjection,
  fitView,
  isFarFrom,
  panView,
  type Ring,
  zoomView,
} from '../../../../../renderer/components/map/map-view.ts';

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
const drawFitted = (...polygonRings: readonly Ring[]) => drawMap(fitView(polygonRings, size), world, size);
const kilometre = 1 / 111.2;

it.each([
  ['a tile of a kilometre', square(9, 50, kilometre)],
  ['a tile of five metres', square(9, 50, kilometre / 200)],
  ['a country', square(9, 50, 4)],
  ['tiles over the date line', square(179, -18, 2)],
  ['a ring at a pole', square(0, 89, 0.9)],
  ['a ring around the globe', square(-179, -80, 159)],
])('fitView() shows %s as a whole', (_, ring) => {
  const { box, path } = drawFitted(ring).draw(ring) ?? {};
  expect(path).not.toMatch(/NaN|Infinity/);
  expect(box?.left).toBeGreaterThan(-2);
  expect(box?.right).toBeLessThan(size.width + 2);
  expect(box?.top).toBeGreaterThan(-2);
  expect(box?.bottom).toBeLessThan(size.height + 2);
});

it('fitView() shows data at its own scale, with context around it', () => {
  const { draw, scale } = drawFitted(square(9, 50, kilometre));
  const { box } = draw(square(9, 50, kilometre)) ?? {};
  const boxHeight = (box?.bottom ?? 0) - (box?.top ?? 0);
  expect(boxHeight).toBeGreaterThan(size.width / 2);
  expect(boxHeight).toBeLessThan(size.height * 0.7);
  expect(scale.metres).toBe(200);
  expect(scale.pixels / boxHeight).toBeCloseTo(0.2, 2);
});

it('fitView() shows the same files in two UTM zones apart from each other, with lines 6° apart', () => {
  const [zone32, zone33] = [square(9.7, 52.3, 0.01), square(15.7, 52.3, 0.01)];
  const drawing = drawFitted(zone32, zone33);
  const [leftShape, rightShape] = [drawing.draw(zone32), drawing.draw(zone33)];
  expect((rightShape?.box.left ?? 0) - (leftShape?.box.left ?? 0)).toBeGreaterThan(size.width / 2);
  expect(drawing.scale.metres).toBeGreaterThanOrEqual(100_000);
  const meridians = drawing.lineLabels.filter(({ isMeridian }) => isMeridian);
  expect(meridians.map(({ degrees }) => degrees)).toContain(12);
  expect(drawing.land).not.toBe('');
});

it('zoomView() keeps the place at the pointer, panView() moves by pixels, anywhere on earth', () => {
  const place = fc.record({
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
    lat: fc.double({ min: -80, max: 80, noNaN: true }),
    zoom: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(place, ({ lon, lat, zoom }) => {
      const view = { center: [lon, lat] as const, metresPerPixel: 0.1 * 20_000 ** zoom };
      const placeAt = (shownView: typeof view, x: number, y: number) =>
        createProjection(shownView, size).projection.invert?.([x, y]) ?? [];
      const pixelOf = (shownView: typeof view, point: readonly number[]) =>
        createProjection(shownView, size).projection(point as [number, number]) ?? [];
      const pointer = placeAt(view, 100, 120);
      const zoomed = zoomView(view, 2, size, [100, 120]) as typeof view;
      const [zoomedX = 0, zoomedY = 0] = pixelOf(zoomed, pointer);
      expect(Math.hypot(zoomedX - 100, zoomedY - 120)).toBeLessThan(1);
      const panned = panView(view, 50, -20, size) as typeof view;
      const middle = pixelOf(view, panned.center);
      expect(middle[0]).toBeCloseTo(size.width / 2 + 50, 0);
      expect(middle[1]).toBeCloseTo(size.height / 2 - 20, 0);
    }),
  );
});

it('drawMap() draws photos as dots that a pointer hits, and tiles as outlines', () => {
  const flight = [0, 1, 2, 3, 4].map((at) => square(9 + at * 0.001, 50, 1e-5));
  const { draw } = drawFitted(...flight);
  for (const photo of flight) {
    const shape = draw(photo);
    expect(shape?.isDot).toBe(true);
    const [x, y] = [shape?.box.left ?? 0, shape?.box.top ?? 0];
    expect(shape && [hits(shape, x + 2, y), hits(shape, x + 9, y)]).toEqual([true, false]);
  }
  const tile = drawFitted(square(9, 50, kilometre)).draw(square(9, 50, kilometre));
  expect(tile?.isDot).toBe(false);
  expect(tile && [hits(tile, size.width / 2, size.height / 2), hits(tile, 5, 5)]).toEqual([true, false]);
});

it('drawMap() draws 5,000 files in a fraction of a second', () => {
  const tiles = Array.from({ length: 5_000 }, (_, at) =>
    square(9 + (at % 70) * kilometre, 50 + Math.floor(at / 70) * kilometre, kilometre),
  );
  const usage = process.threadCpuUsage();
  const { draw } = drawFitted(...clusterOf(tiles).rings);
  expect(tiles.map(draw).every((shape) => shape !== null)).toBe(true);
  const { user, system } = process.threadCpuUsage(usage);
  expect((user + system) / 1000).toBeLessThan(600);
});

it('drawMap() draws nothing outside the map', () => {
  expect(drawFitted(square(9, 50, kilometre)).draw(square(10, 50, kilometre))).toBeNull();
});

it('clusterOf() leaves out files far from the others', () => {
  const polygonRings = Array.from({ length: 12 }, (_, at) =>
    square(9 + 0.01 * (at % 4), 52 + 0.01 * at, 0.01),
  );
  const [nearRing, farRing] = [square(9.2, 52, 0.01), square(15, 52, 0.01)];
  const cluster = clusterOf([...polygonRings, farRing]);
  expect(cluster.rings).toEqual(polygonRings);
  expect([nearRing, farRing].map((ring) => isFarFrom(cluster, ring))).toEqual([false, true]);
});

it('boundsOf() returns the bounds of a ring, also across the date line', () => {
  expect(boundsOf(square(9, 50, 0.01)).map((side) => Number(side.toFixed(3)))).toEqual([9, 50, 9.01, 50.01]);
  const [west, , east] = boundsOf(square(179, -1, 2).map(([lon, lat]) => [lon > 180 ? lon - 360 : lon, lat]));
  expect([west, east]).toEqual([179, -179]);
});
