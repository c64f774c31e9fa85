import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  citySource,
  lackingSource,
  mixedSource,
  photoSource,
  severalSource,
} from '../../../../../gallery/samples/sample-sources.ts';
import { readFurtherOptions } from '../../../../../renderer/components/options/further-options.ts';
import { assetStatusWords, findAssets } from '../../../../../renderer/screens/assets/assets.ts';
import { draftFrom } from '../../../../../renderer/screens/new-asset/draft/draft.ts';
import { describeKind } from '../../../../../renderer/screens/new-asset/draft/draft-kind.ts';
import { describeForecast } from '../../../../../renderer/screens/new-asset/draft/forecast.ts';
import { describeLacking } from '../../../../../renderer/screens/new-asset/draft/lacking.ts';
import { describeLastChoice } from '../../../../../renderer/screens/new-asset/draft/last-choice.ts';
import { assetTypeLabel, kindLabel } from '../../../../../renderer/words/kinds.ts';
import {
  describeExtensions,
  describeFound,
  describeLeftOut,
  describeParts,
} from '../../../../../renderer/words/source.ts';
import { speak } from '../../../../../strings/say.ts';

const plain = (text: string | undefined) => text?.replaceAll('\u00a0', ' ');

beforeEach(() => speak({ language: 'de', locale: 'de-DE' }));
afterEach(() => speak({ language: 'en', locale: 'en-GB' }));

describe('what was found, in German', () => {
  it('counts with German figures and endings', () => {
    expect(plain(describeFound(mixedSource))).toBe('3 abgelegte Elemente · 5.120 Dateien · 81,2 GB');
    expect(plain(describeLeftOut({ ...citySource, emptyFolderCount: 2 }))).toBe(
      '2 ausgelassen (Thumbs.db), 2 leere Ordner',
    );
    expect(describeExtensions(mixedSource.extensions, 2)).toBe('2 .e57, 5.001 .ptx und 3 weitere Typen');
    expect(describeExtensions([{ extension: '', count: 1 }])).toBe('1 ohne Endung');
  });

  it('lists the parts of a drop', () => {
    const [first, ...others] = severalSource.parts;
    const parts = first ? [{ ...first, suggestion: null }, ...others] : [];
    expect(describeParts(parts)).toBe('1 × unbekannte Art, 2 × CityGML 2.0 und 1 × Punktwolke');
  });

  it('bends the verb around the kind', () => {
    const city = draftFrom(citySource);
    expect(describeKind(citySource, city).headline).toBe('Sieht nach CityGML 2.0 aus');
    expect(describeKind(citySource, { ...city, sourceType: 'BIM_CAD' })).toMatchObject({
      headline: 'BIM-/CAD-Modell',
      reason: 'von Ihnen gewählt · 34 .gml und 2 .jpg',
    });
  });

  it('says what the last time was like', () => {
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

describe('what the files lack, in German', () => {
  const [grids] = lackingSource.lacking;
  const finding = (part: Partial<NonNullable<typeof grids>>) => {
    const lacking = grids ? [{ ...grids, examples: ['a.asc'], ...part }] : [];
    return plain(describeLacking(lacking, draftFrom(lackingSource))[0]?.finding);
  };

  it.each([
    [{ lacking: 3, looked: 12, total: 12 }, 'Kein Koordinatensystem in 3 von 12 Dateien gefunden: a.asc…'],
    [
      { lacking: 12, looked: 12, total: 12 },
      'In keiner von 12 Dateien ein Koordinatensystem gefunden: a.asc…',
    ],
    [{ lacking: 1, looked: 1, total: 1 }, 'Kein Koordinatensystem in der Datei gefunden: a.asc'],
    [
      { lacking: 1, looked: 20, total: 5120 },
      'Kein Koordinatensystem in 1 von 20 geprüften Dateien gefunden (insgesamt 5.120): a.asc',
    ],
  ])('is counted: %j', (counts, words) => {
    expect(finding(counts)).toBe(words);
  });

  it('is a position with photos', () => {
    const [words] = describeLacking(photoSource.lacking, draftFrom(photoSource));
    expect(plain(words?.finding)).toBe(
      'Keine GPS-Position in 1 von 20 geprüften Fotos (insgesamt 412): DJI_0271.jpg',
    );
  });
});

describe('the forecast in German', () => {
  it('puts figure and clause in their German order', () => {
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
});

describe('further options in German', () => {
  it.each([
    ['{\n  "a": 1,\n  "b" 2\n}', 'Zeile 3: Nach dem Namen fehlt ein Doppelpunkt.'],
    ['{\n  "a": 1', 'Zeile 2: Am Ende fehlt etwas.'],
    ['{"a": x}', 'Zeile 1: „x“ gehört dort nicht hin.'],
    ['[1]', 'Geben Sie ein Objekt ein: { "Name": Wert }.'],
    ['{"inputCrs": ""}', 'Zeile 1: „inputCrs“ hat ein eigenes Feld, „Koordinatensystem“.'],
  ])('say what is wrong with %j', (text, problem) => {
    expect(readFurtherOptions(text, ['inputCrs'])).toEqual({ ok: false, problem });
  });
});

describe('kinds and assets in German', () => {
  it('have German names; what nobody named stays as it is', () => {
    expect(['RASTER_TERRAIN', 'MY_OWN'].map(kindLabel)).toEqual(['Höhenraster', 'MY_OWN']);
    expect(['TERRAIN', 'OTHER'].map(assetTypeLabel)).toEqual(['Gelände', 'OTHER']);
    expect(plain(assetStatusWords({ status: 'IN_PROGRESS', percentComplete: 38.9 }).word)).toBe(
      'Kachelt · 38 %',
    );
  });

  it('are sorted as the language sorts', () => {
    const asset = { type: 'IMAGERY', status: 'COMPLETE', bytes: 0, percentComplete: 100, dateAdded: '' };
    const assets = ['Zwinger', 'Öl', 'Oper'].map((name, id) => ({ ...asset, id, name }));
    const query = { text: '', type: null, sortBy: 'name', descending: false } as const;
    expect(findAssets(assets, query).map(({ name }) => name)).toEqual(['Öl', 'Oper', 'Zwinger']);
  });
});
