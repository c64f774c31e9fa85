import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KeyHashes } from '../../../../main/source/walk/key-hashes.ts';

it('keys are told apart, however many and however alike', () => {
  const hashes = new KeyHashes();
  const keys = Array.from({ length: 200_000 }, (_, index) => `flight-${index % 700}/IMG_${index}.jpg`);
  expect(keys.filter((key) => !hashes.add(key))).toEqual([]);
  expect(keys.filter((key) => !hashes.has(key) || hashes.add(key))).toEqual([]);
  expect(keys.filter((key) => hashes.has(`${key}x`) || hashes.has(key.slice(1)))).toEqual([]);
});

it('it knows what a set of them knows', () => {
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
