import { describe, expect, it } from 'vitest';
import { type Entry, listEntries } from '../../../../renderer/screens/palette/entries.ts';
import { keepRecent, recentEntries } from '../../../../renderer/screens/palette/recent.ts';

const entry = (id: string, label: string, part: Partial<Entry> = {}): Entry => ({
  id,
  group: 'actions',
  label,
  run: () => {},
  ...part,
});
const all: readonly Entry[] = [
  entry('new', 'New asset…'),
  entry('settings', 'Settings', { group: 'screens' }),
  entry('job:1', 'LoD2 Altstadt', { group: 'jobs', detail: 'Uploading' }),
  entry('job:2', 'Altstadt orthophoto', { group: 'jobs' }),
  entry('asset:7', 'Altstadt terrain', { group: 'assets', detail: 'Terrain · 2481907', onlyFound: true }),
];
const ids = (enteredText: string, recentIds: readonly string[] = []) =>
  listEntries(all, enteredText, recentIds).flatMap(({ entries }) => entries.map(({ id }) => id));

it('listEntries() starts with recent entries and does not repeat them in their group', () => {
  expect(ids('', ['job:2', 'gone'])).toEqual(['job:2', 'new', 'settings', 'job:1']);
  expect(listEntries(all, '', ['job:2'])[0]?.group).toBe('recent');
});

it('listEntries() matches words in any order, by prefixes and letters in order', () => {
  expect(ids('alt lod')).toEqual(['job:1']);
  expect(ids('stngs')).toEqual(['settings']);
  expect(ids('2481907')).toEqual(['asset:7']);
  expect(ids('asset zzz')).toEqual([]);
});

it('listEntries() puts the group of the best match first', () => {
  expect(ids('settings')[0]).toBe('settings');
  expect(ids('terrain')[0]).toBe('asset:7');
});

it('listEntries() prefers a recent entry among equal matches', () => {
  expect(ids('altstadt', ['job:2'])[0]).toBe('job:2');
  expect(ids('altstadt', ['job:1'])[0]).toBe('job:1');
});

it('listEntries() lists at most eight entries of a group', () => {
  const manyEntries = Array.from({ length: 300 }, (_, index) => entry(`a${index}`, `Tile ${index}`));
  expect(listEntries(manyEntries, 'tile', [])[0]?.entries).toHaveLength(8);
});

describe('recentEntries()', () => {
  function storage(storedText: string | null = null) {
    let value = storedText;
    return {
      getItem: () => value,
      setItem: (_key: string, nextText: string) => {
        value = nextText;
      },
    };
  }

  it('recentEntries() keeps each entry once, and twenty at most', () => {
    const storedIds = storage();
    for (let index = 0; index < 30; index += 1) keepRecent(storedIds, `a${index}`);
    keepRecent(storedIds, 'a20');
    expect(recentEntries(storedIds)).toHaveLength(20);
    expect(recentEntries(storedIds).slice(0, 2)).toEqual(['a20', 'a29']);
  });

  it.each(['{', '{}', '[1,null]', '"a"'])('recentEntries() is empty for stored %s', (storedText) => {
    expect(recentEntries(storage(storedText))).toEqual([]);
  });
});
