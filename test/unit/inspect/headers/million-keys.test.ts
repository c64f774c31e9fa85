import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chooseHeaderFiles, planInspection } from '../../../../main/inspect/headers/choose.ts';
import { LowerCaseKeyIndex } from '../../../../main/inspect/headers/lower-case-keys.ts';

/** Generates each item on request and counts requests. */
function lazily<T>(items: readonly T[]) {
  let [goneCount, askedCount] = [0, 0];
  return {
    length: items.length,
    at: (place: number) => {
      askedCount += 1;
      return place < items.length ? structuredClone(items[place]) : undefined;
    },
    *[Symbol.iterator]() {
      goneCount += 1;
      for (const item of items) yield structuredClone(item);
    },
    gone: () => goneCount,
    asked: () => askedCount,
  };
}

const withSizes = (keys: readonly string[]) => keys.map((key) => ({ key, size: 1 }));
const endings = 'tif TIF tfw jpg jgw png pgw laz las xml aux.xml gml prj txt mtl obj wld'.split(' ');
const key = fc
  .tuple(fc.constantFrom('', 'a/', 'b/c/'), fc.integer({ min: 0, max: 40 }), fc.constantFrom(...endings))
  .map(([folder, name, extension]) => `${folder}${name}.${extension}`);
const someKeys = (extensions: readonly string[] = endings) =>
  fc.array(
    key.filter((candidate) => extensions.includes(candidate.slice(candidate.indexOf('.') + 1))),
    { maxLength: 400 },
  );

it('planInspection() is the same for lists and generated keys', () => {
  fc.assert(
    fc.property(fc.oneof(someKeys(), someKeys(['png', 'pgw', 'xml', 'jpg'])), (keys) => {
      const [listPlan, lazyPlan] = [planInspection(withSizes(keys)), planInspection(lazily(withSizes(keys)))];
      expect([...lazyPlan.order]).toEqual([...listPlan.order]);
      expect([...lazyPlan.deep]).toEqual([...listPlan.deep]);
      for (const extension of endings) expect(lazyPlan.isMain(extension)).toBe(listPlan.isMain(extension));
      for (const lowerCaseKey of keys.map((entryText) => entryText.toLowerCase()))
        expect(lazyPlan.sidecars.get(lowerCaseKey)).toBe(listPlan.sidecars.get(lowerCaseKey));
    }),
  );
});

it('planInspection() starts with 64 files spread over the source, then keeps their order', () => {
  const keys = Array.from({ length: 500 }, (_, at) => `${at}.${at % 5 === 0 ? 'txt' : 'las'}`);
  const worthReading = [...keys.keys()].filter((at) => at % 5 !== 0);
  const earlyPlaces = Array.from(
    { length: 64 },
    (_, nth) => worthReading[Math.floor((nth * worthReading.length) / 64)],
  );
  const laterPlaces = worthReading.filter((at) => !earlyPlaces.includes(at));
  expect([...planInspection(lazily(withSizes(keys))).order]).toEqual([...earlyPlaces, ...laterPlaces]);
});

it('planInspection() reads all keys twice and stores none', () => {
  const keys = lazily(withSizes(Array.from({ length: 5_000 }, (_, at) => `${at}.tif`)));
  planInspection(keys);
  expect([keys.gone(), keys.asked()]).toEqual([2, 0]);
});

it('planInspection() generates only the chosen files', () => {
  const files = lazily(Array.from({ length: 5_000 }, (_, at) => ({ key: `${at}.tif` })));
  chooseHeaderFiles(files, 20);
  expect([files.gone(), files.asked()]).toEqual([1, 20]);
});

it('a table of lower-case keys agrees with a map: returns the last of several and nothing else', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'B', '\u00c4', '\u00e4'), maxLength: 4 });
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.boolean()), { maxLength: 300 }), (entries) => {
      const keys = entries.map(([entryKey]) => entryKey);
      const indices = [...entries.keys()].filter((at) => entries[at]?.[1]);
      const index = new LowerCaseKeyIndex(withSizes(keys), indices);
      const expected = new Map(indices.map((at) => [entries[at]?.[0].toLowerCase() ?? '', at]));
      for (const lowerCaseKey of [...keys, 'c', 'aaaaa'].map((key) => key.toLowerCase()))
        expect(index.get(lowerCaseKey)).toBe(expected.get(lowerCaseKey));
    }),
  );
});
