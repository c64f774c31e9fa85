import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
  const asked = { files: 0 };
  return {
    ...{ length, asked },
    at: (place: number) => {
      asked.files += 1;
      return place < length ? fileAt(place) : undefined;
    },
    *[Symbol.iterator]() {
      for (let place = 0; place < length; place++) {
        asked.files += 1;
        yield fileAt(place);
      }
    },
  };
}

/** Findings by id: count, named keys and all keys. */
const toldBy = (names: NamesFound, files: IndexedFiles, most: number) =>
  new Map(
    names.find(files, most).map(({ group: { id, count, keys, values }, showing }) => {
      return [id, { count, keys, values, all: showing() }] as const;
    }),
  );

/** Reference implementation with a table of all keys. */
function plainly(files: readonly Named[], most: number) {
  const found = new Map<string, string[]>();
  const ending = ({ key }: Named) => key.slice(key.lastIndexOf('.') + 1).toLowerCase();
  const push = (id: string, key: string) => void found.set(id, [...(found.get(id) ?? []), key]);
  for (const file of files) if (ending(file) === 'e57') push('unlisted-format', file.key);
  for (const file of files) if (ending(file) === 'ifc') push('newly-listed-format', file.key);
  const hasModel = files.some((file) => ending(file) === 'obj');
  for (const own of [['tif', 'ifc'], hasModel ? [] : ['jpg']]) {
    const first = new Map<string, string>();
    const told = new Set<string>();
    for (const file of files.filter((one) => one.size > 0 && own.includes(ending(one)))) {
      const same = `${file.key.slice(file.key.lastIndexOf('/') + 1).toLowerCase()} ${file.size}`;
      const before = first.get(same);
      if (before === undefined) first.set(same, file.key);
      else told.add(before).add(file.key);
    }
    for (const key of told) push('duplicates', key);
  }
  for (const file of files) if (ending(file) === 'obj' && file.size >= 1e9) push('large-models', file.key);
  if (files.reduce((sum, { size }) => sum + size, 0) > 20e9)
    for (const { key } of files) push('large-asset', key);
  return new Map(
    [...found].map(([id, keys]) => [id, { count: keys.length, keys: keys.slice(0, most).sort(), all: keys }]),
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
      .map(([folder, name, ending]) => `f${folder}/${name}.${ending}`),
    size: fc.constantFrom(0, 1, 2, 1e9, 2e9),
  }),
  { selector: ({ key }) => key, maxLength: 60 },
);

describe('NamesFound', () => {
  it('NamesFound equals a table of all keys, in order, for lists and generated files', () => {
    fc.assert(
      fc.property(anyFiles, fc.constantFrom(1, 3, 1_000), (files, most) => {
        const names = takenFrom(files);
        const made = madeWhenAsked(files.length, (place) => files[place] as Named);
        const told = toldBy(names, files, most);
        expect(toldBy(names, made, most)).toEqual(told);
        const withoutValues = [...told].map(([id, { values: _values, ...found }]) => [id, found] as const);
        expect(withoutValues).toEqual([...plainly(files, most)]);
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  it('NamesFound names the first of many and generates no others', () => {
    const count = 200_000;
    const files = madeWhenAsked(count, (place) => ({ key: `${count - place}.laz`, size: 200_000 }));
    const names = takenFrom(files);
    files.asked.files = 0;
    const [found, ...others] = names.find(files, 1_000);
    expect(others).toEqual([]);
    expect(found?.group).toMatchObject({ id: 'large-asset', count });
    expect(found?.group.keys).toEqual(
      Array.from({ length: 1_000 }, (_, place) => `${count - place}.laz`).sort(),
    );
    expect(files.asked.files).toBe(1_000);
    expect(found?.showing()).toEqual(Array.from(files, ({ key }) => key));
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
      backwards: (place: number) =>
        place < half ? `a/${nameOf(place)}` : `b/${nameOf(2 * half - 1 - place)}`,
    };
    for (const keyOf of Object.values(orders)) {
      const files = madeWhenAsked(2 * half, (place) => ({ key: keyOf(place), size: 7 }));
      const told = toldBy(takenFrom(files), files, 10).get('duplicates');
      expect(told?.count).toBe(2 * half);
      expect(told?.keys).toEqual(told?.all.slice(0, 10).toSorted());
      expect(told?.all.every((key, at) => key.slice(2) === told.all[at ^ 1]?.slice(2))).toBe(true);
      expect(new Set(told?.all).size).toBe(2 * half);
    }
  });
});

it('NamesFound keeps at most 60 bytes for each of 200,000 files', () => {
  const count = 200_000;
  const keyOf = (place: number) => `block_${place % 700}/dgm_${place}.tif`;
  const files = madeWhenAsked(count, (place) => ({ key: keyOf(place), size: 200_000 }));
  const before = bytesInUse();
  const findings = createFindings(files, null);
  expect(findings.finish().map(({ id, count: own }) => [id, own])).toEqual([['large-asset', count]]);
  expect((bytesInUse() - before) / count).toBeLessThan(60);
  expect(findings.showing('large-asset')).toEqual(Array.from({ length: count }, (_, place) => keyOf(place)));
});
