import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fingerprint, fingerprintOf, lineOf } from '../../../main/files/fingerprint.ts';

const file = fc.record({
  key: fc.string({ minLength: 1, maxLength: 8 }),
  size: fc.nat(),
  mtimeMs: fc.nat(),
});
const files = fc.uniqueArray(file, { selector: ({ key }) => key, maxLength: 20 });

describe('fingerprintOf()', () => {
  it('fingerprintOf() is independent of order', () => {
    fc.assert(
      fc.property(
        files.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          expect(fingerprintOf(shuffled)).toBe(fingerprintOf(all));
        },
      ),
    );
  });

  it('fingerprintOf() differs for another name, size, time or number of files', () => {
    fc.assert(
      fc.property(files, file, (all, other) => {
        const before = fingerprintOf(all);
        expect(fingerprintOf([...all, other])).not.toBe(before);
        for (const change of [{ key: 'another key' }, { size: -1 }, { mtimeMs: -1 }]) {
          const changed = all.map((one, index) => (index === 0 ? { ...one, ...change } : one));
          if (all.length > 0) expect(fingerprintOf(changed)).not.toBe(before);
        }
      }),
    );
  });

  it('fingerprintOf() ignores fractions of a millisecond', () => {
    const at = (mtimeMs: number) => fingerprintOf([{ key: 'a', size: 1, mtimeMs }]);
    expect(at(1000.25)).toBe(at(1000));
  });

  it('fingerprintOf() is stable across versions', () => {
    const one = { key: 'a', size: 1, mtimeMs: 2 };
    const fingerprint = new Fingerprint();
    fingerprint.add(lineOf(one));
    expect(fingerprint.digest()).toBe(fingerprintOf([one]));
  });
});
