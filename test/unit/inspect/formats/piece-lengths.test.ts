import { expect, it } from 'vitest';
import { pictureFile } from '../findings/picture-files.ts';
import { readBytes } from './read-bytes.ts';

/** Three strips of eight rows, 480 bytes each, before the directory. */
const file = (changes: Partial<Parameters<typeof pictureFile>[0]>) =>
  pictureFile({ columns: 20, rows: 24, at: (x, y) => x * y, compression: 'none', ...changes });
const verdictOn = async (bytes: Buffer) => (await readBytes('a.tif', bytes)).verdict;

/** GDAL 3.6 reads such files, since their needed bytes exist. */
it.each([
  ['where its last strip claims 35 MB', { claimed: { 2: 35_000_000 } }],
  ['where each strip does', { claimed: { 0: 35_000_000, 1: 35_000_000, 2: 35_000_000 } }],
  ['where a strip claims as much as can be said', { claimed: { 1: 0xffff_ffff } }],
  ['where its tiles claim it', { tile: 16, claimed: { 3: 35_000_000 } }],
  ['where the last strip has fewer rows', { rows: 21, claimed: { 2: 5_000 } }],
  // The file contains ten times the strip's unpacked size.
  [
    'where a packed strip does, and much follows',
    { compression: 'deflate', behind: 9_000, claimed: { 2: 35_000_000 } },
  ],
] as const)(
  'a TIFF is complete when it has a wrong length %s',
  async (_, { behind = 0, ...changes }: { readonly behind?: number } & Parameters<typeof file>[0]) => {
    expect(await verdictOn(Buffer.concat([file(changes), Buffer.alloc(behind)]))).toBeNull();
  },
);

it('a TIFF is truncated when a packed strip claims 35 MB, of which GDAL reads ten times its pixels and fails', async () => {
  expect(await verdictOn(file({ compression: 'deflate', claimed: { 2: 35_000_000 } }))).toBe('tooShort');
});

it('a TIFF is truncated when a packed strip claims a byte too many', async () => {
  const wholeFile = file({ compression: 'deflate' });
  expect(await verdictOn(wholeFile)).toBeNull();
  expect(await verdictOn(file({ compression: 'deflate', claimed: { 2: wholeFile.length } }))).toBe(
    'tooShort',
  );
});
