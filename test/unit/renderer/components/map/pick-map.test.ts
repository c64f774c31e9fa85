import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { World } from '../../../../../renderer/components/map/map-model.ts';
import { drawPick, maxPickZoom } from '../../../../../renderer/components/map/pick-map.ts';

const world: World = {
  land: { type: 'MultiPolygon', coordinates: [] },
  borders: { type: 'MultiLineString', coordinates: [] },
};
const size = { width: 400, height: 190 };
const lon = fc.double({ min: -180, max: 180, noNaN: true });
const lat = fc.double({ min: -80, max: 80, noNaN: true });
const zoom = fc.integer({ min: 0, max: maxPickZoom });

it('the map for picking a place maps each pixel to a place and back to the same pixel', () => {
  const pixel = fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 190 }));
  fc.assert(
    fc.property(lon, lat, zoom, pixel, (west, north, steps, [x, y]) => {
      const drawing = drawPick({ center: [west, north], zoom: steps }, world, size);
      const place = drawing.placeAt(x, y);
      expect(Math.abs(place[0])).toBeLessThanOrEqual(180);
      expect(Math.abs(place[1])).toBeLessThanOrEqual(85);
      if (Math.abs(place[1]) > 84) return;
      const [px, py] = drawing.pixelOf(place);
      const wrappedX = Math.abs(px - x) % (size.width * 2 ** steps);
      expect(Math.min(wrappedX, size.width * 2 ** steps - wrappedX)).toBeLessThan(1.5);
      expect(Math.abs(py - y)).toBeLessThan(12);
    }),
  );
});

it('the map for picking a place shows its centre in the middle, with as many digits as a pixel is worth', () => {
  const drawing = drawPick({ center: [9.7, 52.4], zoom: 4 }, world, size);
  const [x, y] = drawing.pixelOf([9.7, 52.4]);
  expect([Math.round(x), Math.round(y)]).toEqual([200, 95]);
  expect(drawing.placeAt(200, 95)).toEqual([9.7, 52.4]);
  const [wholeWidth] = drawPick({ center: [9.7, 52.4], zoom: 0 }, world, size).placeAt(201, 95);
  expect(wholeWidth).toBe(10.6);
});
