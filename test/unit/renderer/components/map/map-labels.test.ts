import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { readAtlas } from '../../../../../renderer/components/map/atlas.ts';
import { drawMap } from '../../../../../renderer/components/map/map-drawing.ts';
import { type Box, labelsOn, townsOn } from '../../../../../renderer/components/map/map-labels.ts';
import { fitView } from '../../../../../renderer/components/map/map-view.ts';
import { townLines } from '../../../../../scripts/package/towns.mjs';

const size = { width: 380, height: 700 };
const file = createRequire(import.meta.url).resolve('world-atlas/countries-50m.json');
const world = readAtlas(readFileSync(file, 'utf8'), await townLines());
const names: Readonly<Record<string, string>> = { 276: 'Germany', 208: 'Denmark' };

function viewOf(lon: number, lat: number, width: number, map = size) {
  const ring = [
    [lon, lat],
    [lon, lat + width],
    [lon + width, lat + width],
    [lon + width, lat],
    [lon, lat],
  ] as const;
  return drawMap(fitView([ring], map, 600_000), world, map).view;
}

function labelsAround(lon: number, lat: number, width: number, obstacles: readonly Box[] = [], map = size) {
  return labelsOn(viewOf(lon, lat, width, map), world.countries, { size: map, obstacles }, (id) => names[id]);
}

it('map labels name the largest countries on the map if the language has a name', () => {
  const labels = labelsAround(9.7, 52.3, 0.01);
  expect(labels.map(({ name }) => name)).toContain('Germany');
  for (const { x, y } of labels) expect(x > 0 && x < size.width && y > 0 && y < size.height).toBe(true);
});

it('map labels avoid the data and other objects', () => {
  const [free] = labelsAround(10.1, 51.1, 0.01);
  const otherBox = { left: 0, top: (free?.y ?? 0) - 40, right: size.width, bottom: (free?.y ?? 0) + 40 };
  const [movedLabel] = labelsAround(10.1, 51.1, 0.01, [otherBox]);
  expect(Math.abs((movedLabel?.y ?? 0) - (free?.y ?? 0))).toBeGreaterThan(40);
  const everything = { left: 0, top: 0, ...{ right: size.width, bottom: size.height } };
  expect(labelsAround(10.1, 51.1, 0.01, [everything])).toEqual([]);
});

it('map labels omit a country without room', () => {
  expect(labelsAround(9.7, 52.3, 0.01, [], { width: 60, height: 60 })).toEqual([]);
  expect(labelsAround(-30, 40, 0.01)).toEqual([]);
});

function townsAround(lon: number, lat: number, obstacles: readonly Box[] = []) {
  return townsOn(world.towns, viewOf(lon, lat, 0.01).projection, { size, obstacles });
}

it('map labels name the largest towns, each with its position, and none covers another', () => {
  const towns = townsAround(9.7, 52.3);
  expect(towns.map(({ name }) => name)).toEqual(expect.arrayContaining(['Hamburg', 'Munich']));
  expect(towns.length).toBeLessThanOrEqual(8);
  for (const [index, { box }] of towns.entries())
    for (const { box: other } of towns.slice(index + 1))
      expect(
        box.right <= other.left ||
          other.right <= box.left ||
          box.bottom <= other.top ||
          other.bottom <= box.top,
      ).toBe(true);
  expect(townsAround(-35, 30)).toEqual([]);
});

it('names of towns avoid obstacles', () => {
  const [first] = townsAround(9.7, 52.3);
  expect(townsAround(9.7, 52.3, first ? [first.box] : []).map(({ name }) => name)).not.toContain(first?.name);
});
