import { describe, expect, it } from 'vitest';
import { citySource, mixedSource } from '../../../renderer/dev/sample-sources.ts';
import { type Draft, draftFrom, draftInput, draftProblems } from '../../../renderer/words/draft.ts';
import { describeKind } from '../../../renderer/words/draft-kind.ts';
import { kinds, sourceTypeAfter } from '../../../renderer/words/kinds.ts';
import { baseName, describeExtensions, describeFound } from '../../../renderer/words/source.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const city = draftFrom(citySource);

describe('the draft of a new asset', () => {
  it('is ready to upload as suggested, with nothing to fill in', () => {
    expect(draftProblems(city).size).toBe(0);
    expect(draftInput(citySource, city, false)).toEqual({
      paths: ['/data/LoD2_Altstadt'],
      name: 'LoD2 Altstadt',
      description: '',
      assetType: '3DTILES',
      sourceType: 'CITYGML',
      clampToTerrain: false,
      baseTerrainId: null,
      acceptForecast: false,
    });
  });

  it('asks for the kind of data where none is suggested', () => {
    const draft = draftFrom(mixedSource);
    expect([...draftProblems(draft).keys()]).toEqual(['assetType', 'sourceType']);
    expect(draftInput(mixedSource, draft, false)).toBeNull();
  });

  it('wants a name that is more than space', () => {
    expect(draftProblems({ ...city, name: '  ' }).has('name')).toBe(true);
  });

  it('lets CityGML become nothing but 3D Tiles', () => {
    expect(draftProblems({ ...city, assetType: 'TERRAIN' }).get('assetType')).toBe(
      'CityGML can only become 3D Tiles.',
    );
  });

  it('takes a source type of one’s own', () => {
    expect(draftInput(citySource, { ...city, sourceType: ' MY_OWN ' }, false)?.sourceType).toBe('MY_OWN');
  });

  it('asks for clamping only where it means something', () => {
    const clamped: Draft = { ...city, clampToTerrain: true, baseTerrainId: 7 };
    expect(draftInput(citySource, clamped, true)).toMatchObject({ clampToTerrain: true, baseTerrainId: 7 });
    expect(draftInput(citySource, { ...clamped, clampToTerrain: false }, true)?.baseTerrainId).toBeNull();
    const imagery: Draft = { ...clamped, assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY' };
    expect(draftInput(citySource, imagery, true)).toMatchObject({
      clampToTerrain: false,
      baseTerrainId: null,
    });
  });
});

describe('the kind of data', () => {
  it('is said with its reason while it is the suggested one', () => {
    expect(describeKind(citySource, city)).toEqual({
      headline: 'Looks like CityGML',
      reason: '34 .gml files',
      sure: true,
    });
  });

  it('is asked for, chosen, or typed in', () => {
    expect(describeKind(mixedSource, draftFrom(mixedSource)).sure).toBe(false);
    expect(describeKind(citySource, { ...city, sourceType: 'BIM_CAD' }).headline).toBe(
      'Building or construction model',
    );
    expect(describeKind(citySource, { ...city, sourceType: 'MY_OWN' }).headline).toBe('MY_OWN');
  });

  it('follows a change of the asset type, but free text stays', () => {
    expect(sourceTypeAfter('IMAGERY', 'CITYGML')).toBe('RASTER_IMAGERY');
    expect(sourceTypeAfter('3DTILES', 'POINT_CLOUD')).toBe('POINT_CLOUD');
    expect(sourceTypeAfter('TERRAIN', 'MY_OWN')).toBe('MY_OWN');
    expect(sourceTypeAfter('TERRAIN', '')).toBe('RASTER_TERRAIN');
  });

  it('has each source type once', () => {
    expect(new Set(kinds.map((kind) => kind.sourceType)).size).toBe(kinds.length);
  });
});

describe('what was found', () => {
  it('names the entry, its files, its size and what is left out', () => {
    expect(plain(describeFound(citySource))).toBe(
      'LoD2_Altstadt · 36 files · 2.1 GB · 2 ignored (Thumbs.db)',
    );
    expect(plain(describeFound({ ...citySource, ignoredCount: 90 }))).toMatch(/90 ignored \(Thumbs\.db…\)$/);
    expect(plain(describeFound(mixedSource))).toBe('3 dropped entries · 5,120 files · 81.2 GB');
  });

  it('lists the commonest endings', () => {
    expect(describeExtensions(citySource.extensions)).toBe('34 .gml and 2 .jpg');
    expect(describeExtensions(mixedSource.extensions, 2)).toBe('2 .e57, 5,001 .ptx and 3 other kinds');
    expect(describeExtensions([{ extension: '', count: 1 }])).toBe('1 without ending');
    expect(describeExtensions([])).toBe('');
  });

  it('takes the last piece of a path of any system', () => {
    expect(['/data/a/', 'D:\\Scans\\c', 'plain', '/'].map(baseName)).toEqual(['a', 'c', 'plain', '/']);
  });
});
