import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { countriesAt, readAtlas, townAt } from '../../../../../renderer/components/map/atlas.ts';
import { townLines } from '../../../../../scripts/package/towns.mjs';
import type { LonLat } from '../../../../../shared/source.ts';

const file = createRequire(import.meta.url).resolve('world-atlas/countries-50m.json');
const { countries, towns } = readAtlas(readFileSync(file, 'utf8'), await townLines());
const at = (places: readonly LonLat[]) => countriesAt(places, countries);

const [hannover, munich, groningen, northSea, nicosia] = [
  [9.7, 52.4],
  [11.5, 48.1],
  [6.5, 53.2],
  [4, 56],
  [33.3, 35.25],
] as const;

it('countriesAt() returns country numbers', () => {
  expect(at([hannover, munich])).toEqual(['276']);
  expect(at([[178, -17.8]])).toEqual(['242']);
  expect(at([[-179.9, 66.5]])).toEqual(['643']);
});

it('countriesAt() sorts countries by share and ignores the edge of a neighbour', () => {
  expect(at([groningen, groningen, hannover])).toEqual(['528', '276']);
  expect(at([...Array.from({ length: 12 }, () => hannover), groningen])).toEqual(['276']);
});

it('countriesAt() returns none at sea, and ignores the sea next to land', () => {
  expect(at([northSea])).toEqual([]);
  expect(at([northSea, northSea, hannover])).toEqual(['276']);
  expect(at([])).toEqual([]);
});

it('countriesAt() returns null for a country without a number in the atlas', () =>
  expect(at([nicosia])).toEqual([null]));

it('townAt() returns the nearest town within 25 km', () => {
  expect(townAt([9.44, 52.43], towns)).toBe('Wunstorf');
  expect(townAt([-179.99, -16.8], towns)).toBeNull();
  expect(townAt(northSea, towns)).toBeNull();
});

it('towns are sorted by population and exclude parts of towns', () => {
  const places = towns.map(({ name }) => name);
  expect(places.slice(0, 2)).toEqual(['Shanghai', 'Istanbul']);
  expect(places.indexOf('Hannover')).toBeLessThan(places.indexOf('Wunstorf'));
  expect(places).not.toContain('Bogenhausen');
  expect(towns.every(({ place: [lon, lat] }) => Math.abs(lon) <= 180 && Math.abs(lat) <= 90)).toBe(true);
});
