import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFindings } from '../../../../main/inspect/findings/create-findings.ts';
import { NamesFound } from '../../../../main/inspect/findings/find-in-names.ts';
import type { IndexedFiles } from '../../../../main/inspect/headers/lower-case-keys.ts';
import { bytesInUse } from '../bytes-in-use.ts';

interface Named {
  readonly key: string;
  readonly size: number;
}

const takenFrom = (files: Iterable<Named>): NamesFound => {
  const names = new NamesFound();
  for (const file of files) names.add(file);
  return names;
};

/** Generates each file on request. */
function madeWhenAsked(length: number, fileAt: (place: number) => Named) {
  const askedCount = { files: 0 };
  return {
    ...{ length, asked: askedCount },
    at: (place: number) => {
      askedCount.files += 1;
      return place < length ? fileAt(place) : undefined;
    },
    *[Symbol.iterator]() {
      for (let place = 0; place < length; place++) {
        askedCount.files += 1;
        yield fileAt(place);
      }
    },
  };
}

/** Findings by id: count, named keys and all keys. */
const toldBy = (names: NamesFound, files: IndexedFiles, maximum: number) =>
  new Map(
    names.find(files, maximum).map(({ group: { id, count, keys, values }, showing }) => {
      return [id, { count, keys, values, all: showing() }] as const;
    }),
  );

/** Reference implementation with a table of all keys. */
function plainly(files: readonly Named[], maximum: number) {
  const foundKeys = new Map<string, string[]>();
  const extensionOf = ({ key }: Named) => key.slice(key.lastIndexOf('.') + 1).toLowerCase();
  const push = (id: string, key: string) => void foundKeys.set(id, [...(foundKeys.get(id) ?? []), key]);
  for (const file of files) if (extensionOf(file) === 'e57') push('unlisted-format', file.key);
  for (const file of files) if (extensionOf(file) === 'ifc') push('newly-listed-format', file.key);
  const hasModel = files.some((file) => extensionOf(file) === 'obj');
  for (const ownExtensions of [['tif', 'ifc'], hasModel ? [] : ['jpg']]) {
    const firstByKey = new Map<string, string>();
    const reportedKeys = new Set<string>();
    for (const file of files.filter(
      (candidate) => candidate.size > 0 && ownExtensions.includes(extensionOf(candidate)),
    )) {
      const sameName = `${file.key.slice(file.key.lastIndexOf('/') + 1).toLowerCase()} ${file.size}`;
      const previousKey = firstByKey.get(sameName);
      if (previousKey === undefined) firstByKey.set(sameName, file.key);
      else reportedKeys.add(previousKey).add(file.key);
    }
    for (const key of reportedKeys) push('duplicates', key);
  }
  for (const file of files)
    if (extensionOf(file) === 'obj' && file.size >= 1e9) push('large-models', file.key);
  if (files.reduce((sum, { size }) => sum + size, 0) > 20e9)
    for (const { key } of files) push('large-asset', key);
  return new Map(
    [...foundKeys].map(([id, keys]) => [
      id,
      { count: keys.length, keys: keys.slice(0, maximum).sort(), all: keys },
    ]),
  );
}

const anyFiles = fc.uniqueArray(
  fc.record({
    key: fc
      .tuple(
        fc.nat(5),
        fc.constantFrom('a', 'A', 'b'),
        fc.constantFrom('tif', 'TIF', 'jpg', 'e57', 'ifc', 'obj'),
      )
      .map(([folder, name, extension]) => `f${folder}/${name}.${extension}`),
    size: fc.constantFrom(0, 1, 2, 1e9, 2e9),
  }),
  { selector: ({ key }) => key, maxLength: 60 },
);

it('NamesFound equals a table of all keys, in order, for lists and generated files', () => {
  fc.assert(
    fc.property(anyFiles, fc.constantFrom(1, 3, 1_000), (files, maximum) => {
      const names = takenFrom(files);
      const lazyFiles = madeWhenAsked(files.length, (place) => files[place] as Named);
      const results = toldBy(names, files, maximum);
      expect(toldBy(names, lazyFiles, maximum)).toEqual(results);
      const withoutValues = [...results].map(([id, { values: _values, ...fields }]) => [id, fields] as const);
      expect(withoutValues).toEqual([...plainly(files, maximum)]);
    }),
    { seed: 11, numRuns: 300 },
  );
});

it('NamesFound names the first of many and generates no others', () => {
  const count = 200_000;
  const files = madeWhenAsked(count, (place) => ({ key: `${count - place}.laz`, size: 200_000 }));
  const names = takenFrom(files);
  files.asked.files = 0;
  const [result, ...otherResults] = names.find(files, 1_000);
  expect(otherResults).toEqual([]);
  expect(result?.group).toMatchObject({ id: 'large-asset', count });
  expect(result?.group.keys).toEqual(
    Array.from({ length: 1_000 }, (_, place) => `${count - place}.laz`).sort(),
  );
  expect(files.asked.files).toBe(1_000);
  expect(result?.showing()).toEqual(Array.from(files, ({ key }) => key));
});

it('NamesFound generates no file without a finding', () => {
  const files = madeWhenAsked(1_000, (place) => ({ key: `${place}.laz`, size: 1 }));
  const names = takenFrom(files);
  files.asked.files = 0;
  expect(names.find(files, 1_000)).toEqual([]);
  expect(files.asked.files).toBe(0);
});

it('NamesFound finds duplicates at any distance', () => {
  const half = 100_000;
  const nameOf = (place: number) => `dgm_${place}.tif`;
  const orders = {
    after: (place: number) => `${place < half ? 'a' : 'b'}/${nameOf(place % half)}`,
    beside: (place: number) => `${place % 2 === 0 ? 'a' : 'b'}/${nameOf(place >> 1)}`,
    backwards: (place: number) => (place < half ? `a/${nameOf(place)}` : `b/${nameOf(2 * half - 1 - place)}`),
  };
  for (const keyOf of Object.values(orders)) {
    const files = madeWhenAsked(2 * half, (place) => ({ key: keyOf(place), size: 7 }));
    const results = toldBy(takenFrom(files), files, 10).get('duplicates');
    expect(results?.count).toBe(2 * half);
    expect(results?.keys).toEqual(results?.all.slice(0, 10).toSorted());
    expect(results?.all.every((key, at) => key.slice(2) === results.all[at ^ 1]?.slice(2))).toBe(true);
    expect(new Set(results?.all).size).toBe(2 * half);
  }
});

it('NamesFound keeps at most 60 bytes for each of 200,000 files', () => {
  const count = 200_000;
  const keyOf = (place: number) => `block_${place % 700}/dgm_${place}.tif`;
  const files = madeWhenAsked(count, (place) => ({ key: keyOf(place), size: 200_000 }));
  const bytesBefore = bytesInUse();
  const findings = createFindings(files, null);
  expect(findings.finish().map(({ id, count: ownCount }) => [id, ownCount])).toEqual([
    ['large-asset', count],
  ]);
  expect((bytesInUse() - bytesBefore) / count).toBeLessThan(60);
  expect(findings.showing('large-asset')).toEqual(Array.from({ length: count }, (_, place) => keyOf(place)));
});
