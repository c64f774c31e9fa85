import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { crc32Of, crc32Text, parseCrc32 } from '../../../main/storage/crc32.ts';

it('combined CRC32s equal the CRC32 of all bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 3_000 }), { maxLength: 8 }), (runs) => {
      const combinedCrc = crc32Of(runs.map((bytes) => ({ crc32: crc32(bytes), size: bytes.length })));
      expect(combinedCrc).toBe(crc32(Buffer.concat(runs)));
    }),
  );
});

it('combined CRC32s are right for parts of real size', () => {
  const bytes = Buffer.alloc(9 * 1024 * 1024 + 5, 'terrain');
  const cutOffset = 8 * 1024 * 1024;
  const runs = [bytes.subarray(0, cutOffset), bytes.subarray(cutOffset)];
  expect(crc32Of(runs.map((run) => ({ crc32: crc32(run), size: run.length })))).toBe(crc32(bytes));
});

it('CRC32 text matches S3’s format', () => {
  // RFC 3720 B.4 gives 0xcbf43926 for these digits.
  expect(crc32Text(crc32('123456789'))).toBe('y/Q5Jg==');
});

it('CRC32 text round-trips', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffffff }), (crc) => {
      expect(parseCrc32(crc32Text(crc))).toBe(crc);
    }),
  );
});

it.each([undefined, '', 'y/Q5Jg', 'y/Q5Jh==', 'y/Q5JgAA', '!!!!!!=='])('CRC32 text rejects %j', (text) => {
  expect(parseCrc32(text)).toBeNull();
});
