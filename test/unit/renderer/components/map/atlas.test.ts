import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { countriesAt, readAtlas } from '../../../../../renderer/components/map/atlas.ts';
import type { LonLat } from '../../../../../shared/source.ts';

const file = createRequire(import.meta.url).resolve('world-atlas/countries-50m.json');
const { countries } = readAtlas(readFileSync(file, 'utf8'));
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
