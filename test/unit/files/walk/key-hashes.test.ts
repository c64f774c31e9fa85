import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HashTable, KeyHashes } from '../../../../main/files/walk/key-hashes.ts';

it('KeyHashes distinguishes many similar keys', () => {
  const hashes = new KeyHashes();
  const keys = Array.from({ length: 200_000 }, (_, index) => `flight-${index % 700}/IMG_${index}.jpg`);
  expect(keys.filter((key) => !hashes.add(key))).toEqual([]);
  expect(keys.filter((key) => !hashes.has(key) || hashes.add(key))).toEqual([]);
  expect(keys.filter((key) => hashes.has(`${key}x`) || hashes.has(key.slice(1)))).toEqual([]);
});

it('KeyHashes agrees with a set', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 })), (keys) => {
      const [hashes, set] = [new KeyHashes(), new Set<string>()];
      for (const key of keys) {
        expect(hashes.has(key)).toBe(set.has(key));
        expect(hashes.add(key)).toBe(!set.has(key));
        set.add(key);
      }
    }),
    { seed: 7 },
  );
});

it('HashTable keeps the first number of a hash until it is set', () => {
  const table = new HashTable({ withNumbers: true });
  const hashOf = (at: number) => 1 + Math.floor(((at * 0.618_033_988_749) % 1) * 2 ** 53);
  const count = 100_000;
  for (let at = 0; at < count; at++) expect(table.add(hashOf(at), at)).toBeUndefined();
  for (let at = 0; at < count; at += 7) table.set(hashOf(at), 2 ** 31 + at);
  for (let at = 0; at < count; at++) expect(table.add(hashOf(at), 0)).toBe(at % 7 === 0 ? 2 ** 31 + at : at);
  expect([table.has(hashOf(0)), table.has(hashOf(count))]).toEqual([true, false]);
});

it('HashTable without numbers returns 0 and distinguishes similar hashes', () => {
  const table = new HashTable();
  const hashes = [0, 21, 47].flatMap((bit) => Array.from({ length: 60 }, (_, at) => (at + 1) * 2 ** bit));
  const ownHashes = [...new Set([...hashes, 2 ** 53])];
  expect(ownHashes.map((hash) => table.add(hash, 5))).toEqual(ownHashes.map(() => undefined));
  expect(ownHashes.map((hash) => table.add(hash, 5))).toEqual(ownHashes.map(() => 0));
});
