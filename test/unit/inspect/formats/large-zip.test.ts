import { expect, it } from 'vitest';
import { zipEntries } from '../../../../main/inspect/formats/archives/zip.ts';
import { FileBytes } from '../../../../main/inspect/formats/base/file-bytes.ts';
import { readFile } from '../../../../main/inspect/formats/read-file.ts';
import { zip } from './sample-files.ts';

const wrap = 2 ** 32;
const small = zip();
/** Offset of a small archive's directory. */
const cutAt = small.indexOf('PK\x01\x02');

/**
 * The same archive with its directory at `atByte`, as Archive Utility of macOS writes it: no Zip64 records
 * and an offset modulo 4 GiB.
 */
function largeZip(atByte: number, declaredCount = atByte % wrap) {
  const tail = Buffer.from(small.subarray(cutAt));
  tail.writeUInt32LE(declaredCount, tail.length - 22 + 16);
  const read = async (at: number, length: number) => {
    const bytes = Buffer.alloc(length);
    if (at < cutAt) small.copy(bytes, 0, at, Math.min(cutAt, at + length));
    const start = Math.max(at, atByte);
    if (start < at + length) tail.copy(bytes, start - at, start - atByte, at + length - atByte);
    return bytes;
  };
  return { extension: '.zip', size: atByte + tail.length, read, readSidecar: async () => null };
}

it.each([wrap + 5_000, 3 * wrap + 17])(
  'an archive of macOS with its directory at byte %i is complete and lists its names',
  async (atByte) => {
    const file = largeZip(atByte);
    expect((await readFile(file)).verdict).toBeNull();
    expect(await zipEntries(new FileBytes(file.size, file.read))).toMatchObject([{ name: 'a' }]);
  },
);

it('an archive with a wrong directory offset is rejected', async () => {
  const file = largeZip(wrap + 5_000, 4_999);
  expect((await readFile(file)).verdict).toBe('noArchiveEnd');
});

it('an archive truncated within its directory is reported', async () => {
  const file = largeZip(wrap + 5_000);
  expect((await readFile({ ...file, size: file.size - 23 })).verdict).toBe('noArchiveEnd');
});
