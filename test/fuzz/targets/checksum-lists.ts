import { sep } from 'node:path';
import { parseList } from '../../../main/files/checksum-lists/answer-lists.ts';
import { Escape, type Target } from '../target.ts';

const md5 = 'd41d8cd98f00b204e9800998ecf8427e';
const folder = `${sep}srv${sep}incoming`;

const maxEntries = 50;

/** Lists in a watched folder: their files are only looked up in that folder. */
export const checksumLists: Target = {
  name: 'checksum-lists',
  seeds: [
    `\ufeff${md5}  a b.tif\r\n${md5} *./x/c.tif\nSHA256 (d (1).tif) = ${md5}${md5}\n`,
    `\\${md5}  odd\\\\name\\n.tif\n${md5}  ..\\..\\b.tif\n${md5}  C:\\data\\c.tif\n`,
    `${md5}\n`,
  ],
  words: [
    `${md5}  `,
    `MD5 (a) = ${md5}`,
    '../',
    '..\\',
    '/',
    'C:/',
    '\\n',
    '\r',
    '\n',
    '(',
    ')',
    '\0',
    ' = ',
  ],
  run: (input) => {
    const list = parseList(input, { path: `${folder}${sep}sub${sep}a.md5`, stamp: '', folder }, maxEntries);
    if (!list) return 'too large';
    if (list.entries.length > maxEntries) throw new Escape('more entries than a list may have');
    for (const key of list.byKey.keys())
      if (!key.startsWith(`${folder.replaceAll(sep, '/')}/`)) throw new Escape(key);
    const { size } = list.byKey;
    return `${Math.min(list.entries.length, 5)} ${Math.min(size, 5)} ${list.entries[0]?.algorithm}`;
  },
};
