import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytesOf, FileTable, PickedFiles } from '../../../main/files/file-table.ts';
import type { SourceFile } from '../../../main/files/model.ts';
import { toKey } from '../../../main/files/paths.ts';
import { bytesInUse } from '../inspect/bytes-in-use.ts';

const fileIn = (root: string, keyPrefix: string, name: string, size: number): SourceFile => ({
  ...{ path: root + name, key: keyPrefix + toKey(name), size, mtimeMs: size + 0.5 },
  identity: { fileId: null, ctimeMs: size + 0.25 },
});

/** An addition: a folder or a single file. */
type Came =
  | { readonly root: string; readonly keyPrefix: string; readonly names: readonly string[] }
  | { readonly single: SourceFile };

const filesOf = (entries: readonly Came[]): readonly SourceFile[] =>
  entries.flatMap((came) =>
    'single' in came
      ? came.single
      : came.names.map((name, at) => fileIn(came.root, came.keyPrefix, name, at)),
  );

function tableOf(entries: readonly Came[]): FileTable {
  const table = new FileTable();
  for (const came of entries) {
    if ('single' in came) {
      table.add(came.single);
      continue;
    }
    const { root, keyPrefix, names } = came;
    const numbers = (offset: number) => Float64Array.from(names, (_, at) => at + offset);
    table.addFolder({
      ...{ root, keyPrefix, names: names.map((name) => `${name}\0`).join('') },
      ...{ sizes: numbers(0), mtimesMs: numbers(0.5), ctimesMs: numbers(0.25) },
    });
  }
  return table;
}

const name = fc.constantFrom(
  'a.tif',
  'b',
  'Prüfung.docx'.normalize('NFD'),
  'ö',
  '한'.normalize('NFD'),
  'x.las',
);
const folder = fc.record({
  root: fc.constantFrom('/', '/data/', '/data/Süd/'.normalize('NFD')),
  keyPrefix: fc.constantFrom('', 'data/', 'Süd/'),
  names: fc.array(name, { maxLength: 5 }),
});
const singleEntry = fc.record({
  single: name.map(
    (key): SourceFile => ({
      ...{ path: `/elsewhere/${key}.real`, key: toKey(key), size: 7, mtimeMs: 1 },
      identity: { fileId: '12', ctimeMs: 3 },
    }),
  ),
});
const cameOne = fc.array(fc.oneof(folder, singleEntry), { maxLength: 12 });

it('FileTable returns every file unchanged, in order and by index', () =>
  fc.assert(
    fc.property(cameOne, fc.array(fc.nat(60)), (entries, places) => {
      const files = filesOf(entries);
      const table = tableOf(entries);
      expect(table.length).toBe(files.length);
      expect([...table]).toEqual(files);
      expect(places.map((place) => table.at(place))).toEqual(places.map((place) => files[place]));
      expect(table.at(-1)).toBeUndefined();
      expect(bytesOf(table)).toBe(files.reduce((sum, { size }) => sum + size, 0));
    }),
  ));

it('FileTable of selected indexes returns those in order', () =>
  fc.assert(
    fc.property(cameOne, fc.array(fc.nat(60)), (entries, wantedPlaces) => {
      const files = filesOf(entries);
      const places = wantedPlaces.filter((place) => place < files.length);
      const pickedFiles = new PickedFiles(tableOf(entries), places);
      const expected = places.map((place) => files[place]);
      expect(pickedFiles.length).toBe(places.length);
      expect([...pickedFiles]).toEqual(expected);
      expect(places.map((_place, at) => pickedFiles.at(at))).toEqual(expected);
      expect(pickedFiles.at(places.length)).toBeUndefined();
    }),
  ));

it('FileTable stores little more than a name and three numbers per file', () => {
  const count = 200_000;
  const bytesBefore = bytesInUse();
  const table = new FileTable();
  for (let at = 0; at < count; at += 500) {
    const names = Array.from(
      { length: 500 },
      (_, nameIndex) => `tile_${100_000 + at + nameIndex}.tif\0`,
    ).join('');
    const numbers = new Float64Array(500).fill(at);
    const [root, keyPrefix] = [`/data/town/block_${at}/`, `block_${at}/`];
    table.addFolder({ root, keyPrefix, names, sizes: numbers, mtimesMs: numbers, ctimesMs: numbers });
  }
  // About 52, including spare capacity.
  expect((bytesInUse() - bytesBefore) / count).toBeLessThan(70);
  expect(table.at(123_456)?.path).toBe('/data/town/block_123000/tile_223456.tif');
});
