import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  citySource,
  incompleteSource,
  mixedSource,
  severalSource,
} from '../../../../../gallery/samples/sample-sources.ts';
import { sayPhrase, speak } from '../../../../../renderer/say.ts';
import { draftFrom, scopeOfAll } from '../../../../../renderer/state/new-asset/draft/draft.ts';
import { describeKind } from '../../../../../renderer/state/new-asset/draft/draft-kind.ts';
import { describeFindings } from '../../../../../renderer/state/new-asset/draft/findings.ts';
import { describeForecast } from '../../../../../renderer/state/new-asset/draft/forecast.ts';
import { describeLastChoice } from '../../../../../renderer/state/new-asset/draft/last-choice.ts';
import { readFurtherOptions } from '../../../../../renderer/state/options/further-options.ts';
import { assetStatusWords, sortAssets } from '../../../../../renderer/words/assets.ts';
import { assetTypeLabel, kindLabel } from '../../../../../renderer/words/kinds.ts';
import {
  describeExtensions,
  describeFound,
  describeLeftOut,
  describeSeparate,
} from '../../../../../renderer/words/source.ts';

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

  it('lists the assets of a drop', () => {
    const [first, ...others] = severalSource.separate;
    const separate = first ? [{ ...first, suggestion: null }, ...others] : [];
    expect(describeSeparate(separate)).toBe('1 × unbekannte Art, 2 × CityGML 2.0 und 1 × Punktwolke');
  });

  it('inflects the verb for the kind of data', () => {
    const city = draftFrom(citySource);
    expect(describeKind(citySource, city).headline).toBe('Sieht nach CityGML 2.0 aus');
    expect(describeKind(citySource, { ...city, sourceType: 'BIM_CAD' })).toMatchObject({
      headline: 'BIM-/CAD-Modell',
      reason: 'von Ihnen gewählt · 34 .gml und 2 .jpg',
    });
  });

  it('describes the last choices', () => {
    const lastChoice = {
      assetType: '3DTILES',
      sourceType: 'POINT_CLOUD',
      clampToTerrain: true,
      baseTerrainId: 2_310_044,
      options: '{}',
    } as const;
    expect(describeLastChoice({ ...citySource, lastChoice })).toBe(
      '3D Tiles aus Punktwolke, auf Gelände 2310044',
    );
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

it('the forecast in German uses German word order', () => {
  const words = (shareOfLife: number) => {
    const { rate, share } = describeForecast({
      seconds: 70,
      bytesPerSecond: 2.5e6,
      filesPerSecond: null,
      shareOfLife,
    });
    return [plain(rate), plain(share)];
  };
  expect(words(0.02)).toEqual(['bei 2,5 MB/s', '2 % der Stunde, die der Speicherzugang gilt']);
  expect(words(2.34)[1]).toMatch(/^2,3-mal die Stunde, .*: wird wahrscheinlich nicht fertig$/);
});

it.each([
  ['{\n  "a": 1,\n  "b" 2\n}', 'Zeile 3: „:“ fehlt.'],
  ['[1]', 'Geben Sie ein Objekt ein: { "Name": Wert }.'],
  ['{"inputCrs": ""}', 'Zeile 1: „inputCrs“ hat ein eigenes Feld, „Koordinatensystem“.'],
])('further options in German explain what is wrong with %j', (text, problem) => {
  const read = readFurtherOptions(text, ['inputCrs']);
  expect(read.ok ? null : sayPhrase(read.problem)).toEqual(problem);
});

describe('kinds and assets in German', () => {
  it('have German names and keep unknown ones', () => {
    expect(['RASTER_TERRAIN', 'MY_OWN'].map(kindLabel)).toEqual(['Höhenraster', 'MY_OWN']);
    expect(['TERRAIN', 'OTHER'].map(assetTypeLabel)).toEqual(['Gelände', 'OTHER']);
    expect(plain(assetStatusWords({ status: 'IN_PROGRESS', percentComplete: 38.9 }).word)).toBe(
      'Kachelt · 38 %',
    );
  });

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
