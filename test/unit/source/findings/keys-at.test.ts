import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keysAt } from '../../../../main/source/findings/keys-at.ts';

it('keys come in the order in which their places are asked for, one by one or with a pass over all', () => {
  const files = Array.from({ length: 50 }, (_, place) => ({ key: `file ${place}`, size: 1 }));
  const oneAfterTheOther = { [Symbol.iterator]: () => files[Symbol.iterator]() };
  fc.assert(
    fc.property(fc.array(fc.nat(files.length - 1)), (places) => {
      const keys = places.map((place) => `file ${place}`);
      expect(keysAt(files, places)).toEqual(keys);
      expect(keysAt(oneAfterTheOther, places)).toEqual(keys);
    }),
    { seed: 3 },
  );
});
