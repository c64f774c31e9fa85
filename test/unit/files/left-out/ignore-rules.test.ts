import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createIgnore, isUnfinishedName } from '../../../../main/files/left-out/ignore-rules.ts';
import { neverData } from '../../../../main/files/left-out/never-data.ts';

describe('the default ignore rules', () => {
  const ignore = createIgnore();

  it.each(['.DS_Store', 'Thumbs.db', 'thumbs.DB', '~$plan.docx', 'big.tif.part', 'x.TMP'])(
    'the default ignore rules ignore %s',
    (name) => {
      expect(ignore(name, false)).toBe(true);
    },
  );

  it.each(['a.gml', 'part', 'a.partials', 'tmp', '.gitignore', 'plan~$.docx'])(
    'the default ignore rules keep %s',
    (name) => {
      expect(ignore(name, false)).toBe(false);
    },
  );

  it('the default ignore rules ignore .git only as a folder', () => {
    expect(ignore('.git', true)).toBe(true);
    expect(ignore('.git', false)).toBe(false);
    expect(ignore('a.tmp', true)).toBe(false);
  });
});

it('ignore patterns match special characters literally, and newlines by a star', () => {
  const ignore = createIgnore(['a+(b).[c]*']);
  expect(ignore('a+(b).[c]', false)).toBe(true);
  expect(ignore('a+(b).[c] \n x', false)).toBe(true);
  expect(ignore('aab.c', false)).toBe(false);
});

it('a question mark matches one letter or digit', () => {
  const ignore = createIgnore(['.*.??????', 'x?y', 'a*b?c*d']);
  for (const name of ['.a.tif.Xy3kQ9', '.a.000000', 'x7y', 'a..b1c..d'])
    expect(ignore(name, false)).toBe(true);
  for (const name of ['.a.tif.Xy3kQ', '.a.tif.Xy3k-9', 'a.Xy3kQ9', 'xy', 'x.y', 'abcd'])
    expect(ignore(name, false)).toBe(false);
});

it('extension patterns match like compiled ones', () => {
  const [quickRules, triedRules] = [createIgnore(['*.lock']), createIgnore(['*.loc*k'])];
  for (const name of ['a.lock', '.lock', 'a.LOCK', 'a.lock.tif', 'lock', 'a.b.lock'])
    expect(quickRules(name, false)).toBe(triedRules(name, false));
});

it('patterns indexed by border characters match like a scan of all', () => {
  const signs = ['a', 'b', '.', '?', '*'];
  const patterns = signs.flatMap((sign) => signs.flatMap((two) => signs.map((three) => sign + two + three)));
  const names = ['', 'a', 'b', '.', '-', 'ab', 'ba', '.a', 'a.', 'aba', 'b.a', 'a-b', '..b', 'abab', 'ü.b'];
  const piece: Record<string, string> = { '*': '[^]*', '?': '[a-z0-9]', '.': '\\.' };
  for (const pattern of patterns) {
    const ignore = createIgnore([pattern]);
    const triedPattern = new RegExp(`^${[...pattern].map((sign) => piece[sign] ?? sign).join('')}$`);
    for (const name of names)
      expect(ignore(name, false), `${pattern} and '${name}'`).toBe(triedPattern.test(name));
  }
  const combinedRules = createIgnore(['a*b?', '*b.a', '?*?', '.*-']);
  expect(names.filter((name) => combinedRules(name, false))).toEqual([
    'ab',
    'ba',
    'aba',
    'b.a',
    'a-b',
    'abab',
  ]);
});

it('isUnfinishedName() recognizes temporary names of programs, but no other files of them', () => {
  const names = ['a.tif.part', '.a.tif.Xy3kQ9', '.syncthing.a.tif.tmp', 'b.tif.filepart'];
  expect(names.filter((name) => !isUnfinishedName(name, false))).toEqual([]);
  expect(['.stignore', '.DS_Store', 'a.tif'].filter((name) => isUnfinishedName(name, false))).toEqual([]);
});

it('ignore rules cover every name of the table, and docs/reference/left-out.md lists each', async () => {
  const ignore = createIgnore();
  const documented = await readFile(
    join(import.meta.dirname, '../../../../docs/reference/left-out.md'),
    'utf8',
  );
  for (const { pattern } of neverData) {
    const name = pattern.replace(/\/$/, '').replaceAll('*', 'name').replaceAll('?', 'x');
    expect(ignore(name, pattern.endsWith('/')), pattern).toBe(true);
  }
  const rows = [...documented.matchAll(/^\| (`.*`) \| (.*) \| (.*) \|$/gm)];
  const listedRows = rows.flatMap(([, names = '', writtenBy, source]) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, pattern]) => ({ pattern, writtenBy, source })),
  );
  expect(listedRows).toEqual(
    neverData.map(({ pattern, writtenBy, source }) => ({ pattern, writtenBy, source })),
  );
});
