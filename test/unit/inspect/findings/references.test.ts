import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Listing } from '../../../../main/inspect/findings/references.ts';

it('a listing finds names exactly and in any case, like sets of all names', () => {
  const key = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'Ä', 'ä', '/', '%41'), maxLength: 4 });
  fc.assert(
    fc.property(fc.array(key), fc.array(key), (keys, otherKeys) => {
      const listing = new Listing();
      for (const key of keys) listing.add(key);
      const exact = new Set(keys.flatMap((key) => [key, decodeURIComponent(key)]));
      const lowerCaseKeys = new Set([...exact].map((key) => key.toLowerCase()));
      for (const name of [...exact, ...lowerCaseKeys, ...otherKeys]) {
        expect(listing.has(name)).toBe(exact.has(name));
        expect(listing.hasInAnyCase(name)).toBe(lowerCaseKeys.has(name.toLowerCase()));
      }
    }),
    { seed: 5 },
  );
});
