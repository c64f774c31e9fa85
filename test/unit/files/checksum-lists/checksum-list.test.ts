import { expect, it } from 'vitest';
import { checksumsIn, isListName, isListOf } from '../../../../main/files/checksum-lists/checksum-list.ts';

const md5 = 'd41d8cd98f00b204e9800998ecf8427e';
const sha1 = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';
const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const pathsOf = (text: string, list = 'SHA256SUMS') => [...checksumsIn(text, list)].map(({ path }) => path);

it('a checksum list is read in GNU and BSD formats with any usual algorithm', () => {
  const text = `\ufeff# made by nobody\r\n${md5}  a b.tif\r\n${sha1} *./x/c.tif\nSHA256 (d (1).tif) = ${sha256.toUpperCase()}\n\nMD5 (e.tif)= ${md5}\n`;
  expect([...checksumsIn(text, 'list.txt')]).toEqual([
    { path: 'a b.tif', algorithm: 'md5', checksum: md5 },
    { path: 'x/c.tif', algorithm: 'sha1', checksum: sha1 },
    { path: 'd (1).tif', algorithm: 'sha256', checksum: sha256 },
    { path: 'e.tif', algorithm: 'md5', checksum: md5 },
  ]);
});

it('a checksum list may contain Windows paths and GNU escapes', () => {
  expect(pathsOf(`${md5}  img\\a.tif\n\\${md5}  odd\\\\name\\n.tif`)).toEqual([
    'img/a.tif',
    'odd\\name\n.tif',
  ]);
});

it('a checksum list of one file may contain the checksum alone', () => {
  expect(pathsOf(`${md5}\n`, 'a.tif.md5')).toEqual(['']);
});

it('a checksum list has truncated and other lines ignored', () => {
  expect(
    pathsOf(`${md5.slice(1)}  a.tif\n${md5}\t\nhello world\n${sha256}0  b.tif\nMD5 (c.tif) = 12`),
  ).toEqual([]);
});

it('a checksum list is recognized by its name, also for a single file or folder', () => {
  for (const name of 'a.tif.md5 SHA256SUMS md5sums.txt checksums.txt x.SHA1 manifest-sha256.txt'.split(' '))
    expect(isListName(name), name).toBe(true);
  for (const name of ['a.tif', 'sums.txt', 'md5', 'checksums.tif', 'sha256sums.zip'])
    expect(isListName(name), name).toBe(false);
  expect([
    isListOf('a.tif.md5', 'a.tif'),
    isListOf('A.sha256', 'a.tif'),
    isListOf('flight.md5', 'flight'),
  ]).toEqual([true, true, true]);
  expect([isListOf('b.md5', 'a.tif'), isListOf('SHA256SUMS', 'sha256sums')]).toEqual([false, false]);
});
