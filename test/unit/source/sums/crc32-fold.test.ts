import { randomBytes, randomFillSync } from 'node:crypto';
import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32, makeBuffers } from '../../../../main/source/sums/crc32-fold.ts';
import { crc32FoldCode } from '../../../../main/source/sums/crc32-fold-code.ts';
import { makeModules } from '../../../../tools/sums/modules.ts';

const longest = 200_000;

describe('CRC-32 by folding', () => {
  const [buffer] = makeBuffers(longest, true);
  randomFillSync(buffer);

  it('tells what zlib tells: whatever the length, the place, and what came before', () => {
    const lengths = fc.integer({ min: 0, max: longest });
    const places = fc.integer({ min: 0, max: 40 });
    const before = fc.integer({ min: 0, max: 0xffffffff });
    fc.assert(
      fc.property(places, lengths, before, (from, to, known) => {
        const bytes = buffer.subarray(Math.min(from, to), to);
        expect(crc32(bytes, known)).toBe(zlibCrc32(bytes, known));
      }),
      {
        numRuns: 500,
        examples: [
          [0, 16_384, 0],
          [0, 16_383, 0],
          [16, 16_400, 1],
          [0, longest, 0xffffffff],
        ],
      },
    );
  });

  it('tells another one of bytes of which one bit is another', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: longest * 8 - 1 }), (bit) => {
        const known = crc32(buffer);
        const at = bit >>> 3;
        const byte = buffer[at] ?? 0;
        buffer[at] = byte ^ (1 << (bit & 7));
        const found = crc32(buffer);
        buffer[at] = byte;
        expect(found).not.toBe(known);
        expect(crc32(buffer)).toBe(known);
      }),
    );
  });

  it('leaves the bytes as they are, its own and those of its neighbours', () => {
    const buffers = makeBuffers(65_536, true);
    expect(buffers.length).toBe(16);
    expect(new Set(buffers.map((one) => one.buffer)).size).toBe(1);
    for (const one of buffers) randomFillSync(one);
    const copies = buffers.map((one) => Buffer.from(one));
    for (const one of buffers) crc32(one);
    expect(buffers).toEqual(copies);
  });

  it('takes bytes of any other memory', () => {
    const bytes = randomBytes(100_000);
    expect(crc32(bytes, 7)).toBe(zlibCrc32(bytes, 7));
    expect(makeBuffers(100_000, false).map(({ length }) => length)).toEqual([100_000]);
  });

  it('is the WebAssembly that its text says', async () => {
    expect(crc32FoldCode).toBe((await makeModules()).crc32Fold);
  });

  // Should Node's own have become as quick, all of this can go.
  it.runIf(process.arch === 'x64')('is quicker than zlib is in Node', () => {
    const ratios = Array.from(
      { length: 15 },
      () => timeOf(() => zlibCrc32(buffer)) / timeOf(() => crc32(buffer)),
    );
    expect(ratios.sort((a, b) => a - b)[7]).toBeGreaterThan(1.2);
  });
});

function timeOf(work: () => unknown): number {
  const began = performance.now();
  for (let times = 0; times < 20; times++) work();
  return performance.now() - began;
}
