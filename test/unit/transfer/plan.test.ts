import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countParts, partRange, planFile } from '../../../main/transfer/plan.ts';

const mebibyte = 1024 * 1024;
const tebibyte = mebibyte * mebibyte;

it('planFile sends files up to 8 MiB, empty ones included, in one request', () => {
  expect(planFile(0)).toEqual({ partSize: 8 * mebibyte, partCount: 1 });
  expect(planFile(8 * mebibyte)).toEqual({ partSize: 8 * mebibyte, partCount: 1 });
  expect(planFile(8 * mebibyte + 1)).toEqual({ partSize: 8 * mebibyte, partCount: 2 });
});

it('planFile grows parts in whole MiB so that 5 TiB fit', () => {
  expect(planFile(100 * 1024 * mebibyte).partSize).toBe(11 * mebibyte);
  expect(planFile(5 * tebibyte).partCount).toBeLessThanOrEqual(9900);
});

it('planFile never needs more than 10,000 parts of 5 MiB to 5 GiB', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5 * tebibyte }), (size) => {
      const { partSize, partCount } = planFile(size);
      expect(partCount).toBeLessThanOrEqual(10_000);
      expect(partCount).toBe(countParts(size, partSize));
      expect(partSize % mebibyte).toBe(0);
      expect(partSize).toBeGreaterThanOrEqual(5 * mebibyte);
      expect(partSize).toBeLessThanOrEqual(5 * 1024 * mebibyte);
    }),
  );
});

it('partRange() covers every file exactly, without gap or overlap', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 1, max: 500 }), (size, partSize) => {
      let at = 0;
      for (let number = 1; number <= countParts(size, partSize); number++) {
        const range = partRange(size, partSize, number);
        expect(range).toMatchObject({ number, offset: at });
        expect(range.length).toBeGreaterThanOrEqual(size === 0 ? 0 : 1);
        at += range.length;
      }
      expect(at).toBe(size);
    }),
  );
});
