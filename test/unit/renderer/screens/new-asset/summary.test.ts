import { afterEach, describe, expect, it } from 'vitest';
import {
  countryTilesSource,
  manyTilesSource,
  mixedSource,
  unknownSource,
} from '../../../../../gallery/samples/sample-sources.ts';
import type { Seen, SourceView } from '../../../../../preload/contract.ts';
import { speak } from '../../../../../renderer/say.ts';
import {
  describeSummary,
  placesOf,
  searchWords,
  systemCode,
} from '../../../../../renderer/state/new-asset/draft/summary.ts';
import { british } from '../../../../../strings/languages.ts';

const name = 'ETRS89 / UTM zone 32N';
const seenFacts = manyTilesSource.seen as Seen;
const tiles: SourceView = {
  ...manyTilesSource,
  fileCount: 400,
  seen: { ...seenFacts, extent: { west: 9, south: 52, east: 9.295, north: 52.18 } },
};
const withSeen = (part: Partial<Seen>): SourceView => ({
  ...tiles,
  seen: { ...(tiles.seen as Seen), ...part },
});
const say = (
  source: SourceView,
  countries: readonly (string | null)[] | null = ['276'],
  systemName: string | null = name,
  kinds: readonly string[] = ['RASTER_IMAGERY'],
  town: string | null = null,
) =>
  describeSummary(source, { fileCount: source.fileCount, kinds }, { systemName, countries, town }).replaceAll(
    '\u00a0',
    ' ',
  );

afterEach(() => speak(british));

describe('summarizing all files of a source', () => {
  it('summarizing all files of a source: shows count, coordinate system, size and country in one line', () => {
    expect(say(tiles)).toBe('400 files · EPSG:25832, ETRS89 / UTM zone 32N · 20 × 20 km, Germany');
  });

  it('summarizing all files of a source: names several kinds of data', () => {
    const kinds = ['RASTER_IMAGERY', 'POINT_CLOUD', '3D_MODEL'];
    expect(say(tiles, null, null, kinds)).toBe(
      '400 files: imagery, point cloud and 3D model · EPSG:25832 · 20 × 20 km',
    );
  });

  it('summarizing all files of a source: uses the language of the page, also for countries', () => {
    speak({ language: 'de', locale: 'de-DE' });
    expect(say(tiles)).toBe('400 Dateien · EPSG:25832, ETRS89 / UTM zone 32N · 20 × 20 km, Deutschland');
    expect(say(tiles, ['276', '528', '056'])).toContain('Deutschland, Niederlande und Belgien');
  });

  it('summarizing all files of a source: names up to three countries, then their number', () => {
    expect(say(tiles, ['276', '528'])).toContain('km, Germany and Netherlands');
    expect(say(tiles, ['276', '528', '056', '250'])).toContain('km, 4 countries');
  });

  it('summarizing all files of a source: names the nearest town unless the data extends farther', () => {
    const near = (countries: readonly (string | null)[], source = tiles) =>
      say(source, countries, name, [], 'Wunstorf');
    expect(near(['276'])).toContain('20 × 20 km, near Wunstorf, Germany');
    expect(near([])).toMatch(/20 × 20 km, near Wunstorf$/);
    const wide = withSeen({ extent: { west: 9, south: 52, east: 9.9, north: 52.18 } });
    expect(near(['276'], wide)).toContain('61 × 20 km, Germany');
    speak({ language: 'de', locale: 'de-DE' });
    expect(near(['276'])).toContain('20 × 20 km, bei Wunstorf, Deutschland');
  });

  it('summarizing all files of a source: mentions the sea without a country, and omits countries without a name', () => {
    expect(say(tiles, [])).toContain('20 × 20 km, at sea or near a coast');
    expect(say(tiles, [null])).toMatch(/20 × 20 km$/);
    expect(say(tiles, [null, '196'])).toContain('km, Cyprus');
    expect(say(tiles, null)).toMatch(/20 × 20 km$/);
  });

  it('summarizing all files of a source: counts further coordinate systems and shows the code of an unnamed one', () => {
    const systems = [
      { system: 'EPSG:25832', count: 390 },
      { system: 'EPSG:25833', count: 6 },
      { system: 'EPSG:31467', count: 4 },
    ];
    expect(say(withSeen({ systems }))).toContain('EPSG:25832, ETRS89 / UTM zone 32N and 2 others');
    expect(say(tiles, ['276'], null)).toContain(' · EPSG:25832 · ');
  });

  it.each([
    ['unnamed', 'an unnamed coordinate system'],
    ['unnamed + EPSG:5783', 'an unnamed coordinate system + EPSG:5783'],
    ['EPSG:25832 + unnamed', 'EPSG:25832 + an unnamed vertical coordinate system'],
    ['unnamed + unnamed', 'an unnamed coordinate system + an unnamed vertical coordinate system'],
    ['Town of X', 'Town of X'],
  ])('summarizing all files of a source: describes unnamed coordinate systems: %s', (system, words) => {
    expect(say(withSeen({ systems: [{ system, count: 400 }] }), [], null)).toContain(` · ${words} · `);
  });

  it('summarizing all files of a source: measures small extents in metres, also across the date line', () => {
    const extent = { west: 9, south: 52, east: 9.0073, north: 52.0045 };
    expect(say(withSeen({ extent }))).toContain('500 × 500 m, Germany');
    const across = { west: 179.9, south: -17, east: -179.9, north: -16.8 };
    expect(say(withSeen({ extent: across }), ['242'])).toContain('21 × 22 km, Fiji');
    const spot = { west: 9, south: 52, east: 9, north: 52 };
    expect(say(withSeen({ extent: spot }))).toMatch(/ · Germany$/);
    expect(say(withSeen({ extent: spot }), null)).toMatch(/ · in one spot$/);
  });

  it('summarizing all files of a source: mentions an unknown position only after inspection', () => {
    expect(say(unknownSource)).toBe('5,120 files · position unknown');
    const noFacts = { placed: 0, extent: null, systems: [] };
    expect(say(withSeen({ ...noFacts, state: 'looking' }))).toBe('400 files');
    const archive = { degree: 'names-only', count: 1, examples: ['town.zip'] } as const;
    expect(say(withSeen({ ...noFacts, degrees: [archive] }))).toBe('400 files');
  });

  it('the summary of all files is empty before inspection', () => {
    expect(say(mixedSource)).toBe('');
    expect(say(withSeen({ looked: 0 }))).toBe('');
  });

  it('the summary of all files names the horizontal system', () => {
    expect(systemCode('EPSG:25832 + EPSG:7837')).toBe(25_832);
    expect(systemCode('Local grid')).toBeNull();
    expect(systemCode(undefined)).toBeNull();
  });
});

it('coordinate systems are ranked by those of the other files, then by country', () => {
  const systems = ['EPSG:25832 + EPSG:7837', 'EPSG:25832', 'Local', 'EPSG:25833'].map((system) => ({
    system,
    count: 1,
  }));
  expect(searchWords(withSeen({ systems }), ['276', '528'])).toEqual(['EPSG:25832', 'EPSG:25833', 'Germany']);
  expect(searchWords(mixedSource, [null])).toEqual([]);
});

it('placesOf() samples many files from first to last', () => {
  const places = placesOf(manyTilesSource);
  expect(places).toHaveLength(40);
  expect(places[0]?.[1]).toBeCloseTo(52.3445, 3);
  expect(places.at(-1)?.[1]).toBeGreaterThan(52.5);
});

it('placesOf() returns cell centres for too many files', () => {
  expect(placesOf(countryTilesSource)[0]).toEqual([7.125, 51.625]);
});

it('placesOf() keeps the place of a file across the date line', () => {
  const ring = [
    [179, -17],
    [179, -16],
    [-179, -16],
    [-179, -17],
    [179, -17],
  ] as const;
  expect(placesOf({ footprints: [{ key: 'a.tif', ring }], density: null })).toEqual([[179, -17]]);
  expect(placesOf({ footprints: [], density: null })).toEqual([]);
});
