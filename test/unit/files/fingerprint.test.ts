import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Fingerprint, fingerprintOf, lineOf } from '../../../main/files/fingerprint.ts';

const file = fc.record({ key: fc.string({ minLength: 1, maxLength: 8 }), size: fc.nat(), mtimeMs: fc.nat() });
const files = fc.uniqueArray(file, { selector: ({ key }) => key, maxLength: 20 });

it('fingerprintOf() is independent of order', () => {
  fc.assert(
    fc.property(
      files.chain((allFiles) =>
        fc.tuple(fc.constant(allFiles), fc.shuffledSubarray(allFiles, { minLength: allFiles.length })),
      ),
      ([allFiles, shuffled]) => {
        expect(fingerprintOf(shuffled)).toBe(fingerprintOf(allFiles));
      },
    ),
  );
});

it('fingerprintOf() differs for another name, size, time or number of files', () => {
  fc.assert(
    fc.property(files, file, (allFiles, otherFile) => {
      const fingerprintBefore = fingerprintOf(allFiles);
      expect(fingerprintOf([...allFiles, otherFile])).not.toBe(fingerprintBefore);
      for (const change of [{ key: 'another key' }, { size: -1 }, { mtimeMs: -1 }]) {
        const changed = allFiles.map((candidate, index) =>
          index === 0 ? { ...candidate, ...change } : candidate,
        );
        if (allFiles.length > 0) expect(fingerprintOf(changed)).not.toBe(fingerprintBefore);
      }
    }),
  );
});

it('fingerprintOf() ignores fractions of a millisecond', () => {
  const at = (mtimeMs: number) => fingerprintOf([{ key: 'a', size: 1, mtimeMs }]);
  expect(at(1000.25)).toBe(at(1000));
});

it('fingerprintOf() is stable across versions', () => {
  const file = { key: 'a', size: 1, mtimeMs: 2 };
  const fingerprint = new Fingerprint();
  fingerprint.add(lineOf(file));
  expect(fingerprint.digest()).toBe(fingerprintOf([file]));
});
