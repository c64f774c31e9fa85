import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { citySource, incompleteSource, mixedSource } from '../../../../../gallery/samples/sample-sources.ts';
import { speak } from '../../../../../renderer/say.ts';
import { draftFrom, scopeOfAll } from '../../../../../renderer/state/new-asset/draft/draft.ts';
import { describeFindings } from '../../../../../renderer/state/new-asset/draft/findings.ts';
import { sortAssets } from '../../../../../renderer/words/assets.ts';
import { describeExtensions, describeFound, describeLeftOut } from '../../../../../renderer/words/source.ts';

const plain = (text: string | undefined) => text?.replaceAll('\u00a0', ' ');

beforeEach(() => speak({ language: 'de', locale: 'de-DE' }));
afterEach(() => speak({ language: 'en', locale: 'en-GB' }));

describe('a source in German', () => {
  it('uses German numbers and plurals', () => {
    expect(plain(describeFound(mixedSource))).toBe('3 abgelegte Elemente · 5.120 Dateien · 81,2 GB');
    expect(plain(describeLeftOut({ ...citySource, emptyFolderCount: 2 }))).toBe(
      '2 ausgelassen (Thumbs.db), 2 leere Ordner',
    );
    expect(describeExtensions(mixedSource.extensions, 2)).toBe('2 .e57, 5.001 .ptx und 3 weitere Typen');
    expect(describeExtensions([{ extension: '', count: 1 }])).toBe('1 ohne Endung');
  });
});

it.each([
  [{ count: 3, looked: 12, total: 12 }, '3 Dateien haben kein Koordinatensystem', '3 von 12 Dateien'],
  [{ count: 1, looked: 1, total: 1 }, '1 Datei hat kein Koordinatensystem', ''],
  [
    { count: 1, looked: 20, total: 5120 },
    '1 Datei hat kein Koordinatensystem',
    '1 von 20 geprüften Dateien, insgesamt 5.120',
  ],
])('findings in German are counted: %j', (counts, title, share) => {
  const findings = incompleteSource.findings.map((group) => ({ ...group, ...counts }));
  const [words] = describeFindings(scopeOfAll({ findings, fileCount: 21 }, draftFrom(incompleteSource)));
  expect([plain(words?.title), plain(words?.share)]).toEqual([title, share]);
});

describe('kinds and assets in German', () => {
  it('are sorted by the rules of the language', () => {
    const asset = {
      type: 'IMAGERY',
      status: 'COMPLETE',
      bytes: 0,
      percentComplete: 100,
      madeHere: false,
      dateAdded: '',
    };
    const assets = ['Zwinger', 'Öl', 'Oper'].map((name, id) => ({ ...asset, id, name }));
    expect(sortAssets(assets, { sortBy: 'name', descending: false }).map(({ name }) => name)).toEqual([
      'Öl',
      'Oper',
      'Zwinger',
    ]);
  });
});
