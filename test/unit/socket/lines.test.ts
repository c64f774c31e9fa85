import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLineReader } from '../../../main/socket/lines.ts';

it('createLineReader() returns the same lines however the bytes are split', () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll('\n', '').trim());
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(200)), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const places = [...new Set([0, ...cuts.filter((at) => at < bytes.length), bytes.length])].sort(
        (a, b) => a - b,
      );
      const reader = createLineReader(10_000);
      const read = places.flatMap(
        (at, index) => reader.add(bytes.subarray(at, places[index + 1])) ?? ['cut off'],
      );
      expect(read).toEqual(lines.filter((text) => text !== ''));
    }),
  );
});

it('createLineReader() accepts the longest allowed line and ends after a longer one', () => {
  const reader = createLineReader(4);
  expect(reader.add(Buffer.from('abcd\n'))).toEqual(['abcd']);
  expect(reader.add(Buffer.from('ab'))).toEqual([]);
  expect(reader.add(Buffer.from('cde'))).toBeNull();
  expect(reader.add(Buffer.from('\nab\n'))).toBeNull();
});

it('createLineReader() accepts longer lines once allowed', () => {
  const reader = createLineReader(2);
  reader.allow(6);
  expect(reader.add(Buffer.from('{"a":1'))).toEqual([]);
  expect(reader.add(Buffer.from('\n'))).toEqual(['{"a":1']);
});
