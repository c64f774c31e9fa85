import { describe, expect, it } from 'vitest';
import {
  citySource,
  mixedSource,
  rememberedSource,
  severalSource,
  unlistedSource,
} from '../../../../../gallery/samples/sample-sources.ts';
import {
  type Draft,
  draftFrom,
  draftInputs,
  draftProblems,
} from '../../../../../renderer/state/new-asset/draft/draft.ts';
import { describeKind } from '../../../../../renderer/state/new-asset/draft/draft-kind.ts';
import { describeLastChoice } from '../../../../../renderer/state/new-asset/draft/last-choice.ts';
import { sourceTypeAfter } from '../../../../../renderer/words/kinds.ts';
import {
  baseName,
  describeExtensions,
  describeFound,
  describeLeftOut,
  describeSeparate,
} from '../../../../../renderer/words/source.ts';
import { kinds } from '../../../../../shared/kinds.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const city = draftFrom(citySource);
const draftInput = (...parameters: Parameters<typeof draftInputs>) => draftInputs(...parameters)[0] ?? null;

it('the draft of a new asset is ready to upload as suggested', () => {
  expect(draftProblems(city).size).toBe(0);
  expect(draftInput(citySource, city, false)).toEqual({
    paths: ['/data/LoD2_Altstadt'],
    name: 'LoD2 Altstadt',
    description: '',
    assetType: '3DTILES',
    sourceType: 'CITYGML',
    clampToTerrain: false,
    baseTerrainId: null,
    options: '{}',
    kindKey: 'CITYGML',
    acceptForecast: false,
  });
});

it('the draft of a new asset requires a kind of data when none is suggested', () => {
  const draft = draftFrom(mixedSource);
  expect([...draftProblems(draft).keys()]).toEqual(['assetType', 'sourceType']);
  expect(draftInput(mixedSource, draft, false)).toBeNull();
});

it('the draft of a new asset requires a name', () =>
  expect(draftProblems({ ...city, name: '  ' }).has('name')).toBe(true));

it('the draft of a new asset allows CityGML only as 3D Tiles', () => {
  expect(draftProblems({ ...city, assetType: 'TERRAIN' }).get('assetType')).toBe(
    'CityGML can only become 3D Tiles.',
  );
});

it('the draft of a new asset accepts a custom source type', () => {
  expect(draftInput(citySource, { ...city, sourceType: ' MY_OWN ' }, false)?.sourceType).toBe('MY_OWN');
});

it('the draft of a new asset sends clamping only when it applies', () => {
  const clamped: Draft = { ...city, clampToTerrain: true, baseTerrainId: 7 };
  expect(draftInput(citySource, clamped, true)).toMatchObject({ clampToTerrain: true, baseTerrainId: 7 });
  expect(draftInput(citySource, { ...clamped, clampToTerrain: false }, true)?.baseTerrainId).toBeNull();
  const imagery: Draft = { ...clamped, assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY' };
  expect(draftInput(citySource, imagery, true)).toMatchObject({ clampToTerrain: false, baseTerrainId: null });
});

it('the kind of data shows the reason of the suggestion', () => {
  expect(describeKind(citySource, city)).toEqual({
    headline: 'Detected: CityGML 2.0',
    reason: '34 .gml files',
    sure: true,
  });
});

it('the kind of data is requested, chosen or typed', () => {
  expect(describeKind(mixedSource, draftFrom(mixedSource)).sure).toBe(false);
  const shapefile = {
    ...{ name: 'parcels.shp', sourceType: '', reason: null, fileCount: 2, bytes: 9, names: [] },
    contents: [
      { extension: 'shp', count: 1, beside: false },
      { extension: 'dbf', count: 1, beside: true },
    ],
  };
  const [unlistedFinding] = unlistedSource.findings;
  const loneView = {
    ...unlistedSource,
    pieces: [shapefile],
    findings: unlistedFinding ? [{ ...unlistedFinding, count: 1 }] : [],
  };
  expect(describeKind(loneView, draftFrom(loneView)).headline).toBe('The service can’t tile this format');
  const besideView = { ...shapefile, contents: [{ extension: 'xyz', count: 3, beside: false }] };
  const mixedView = { ...loneView, pieces: [shapefile, besideView] };
  expect(describeKind(mixedView, draftFrom(mixedView)).headline).toBe('What kind of data is this?');
  expect(describeKind(citySource, { ...city, sourceType: 'BIM_CAD' }).headline).toBe('BIM/CAD model');
  expect(describeKind(citySource, { ...city, sourceType: 'MY_OWN' }).headline).toBe('MY_OWN');
});

it('the kind of data follows the asset type, but free text stays', () => {
  expect(sourceTypeAfter('IMAGERY', 'CITYGML')).toBe('RASTER_IMAGERY');
  expect(sourceTypeAfter('3DTILES', 'POINT_CLOUD')).toBe('POINT_CLOUD');
  expect(sourceTypeAfter('TERRAIN', 'MY_OWN')).toBe('MY_OWN');
  expect(sourceTypeAfter('TERRAIN', '')).toBe('RASTER_TERRAIN');
});

it('the kind of data lists each source type once', () => {
  expect(new Set(kinds.map((kind) => kind.sourceType)).size).toBe(kinds.length);
});

it('a described source names ignored files', () => {
  expect(plain(describeLeftOut(citySource))).toBe('2 ignored (Thumbs.db)');
  expect(plain(describeLeftOut({ ...citySource, ignoredCount: 90, emptyFolderCount: 1 }))).toBe(
    '90 ignored (Thumbs.db…), 1 empty folder',
  );
  expect(plain(describeLeftOut({ ...citySource, ignoredCount: 0, linkCount: 3 }))).toBe(
    '3 links not followed',
  );
});

it('a described source names the entry, its files and size', () => {
  expect(plain(describeFound(citySource))).toBe('LoD2_Altstadt · 36 files · 2.1 GB');
  expect(plain(describeFound(mixedSource))).toBe('3 dropped items · 5,120 files · 81.2 GB');
});

it('a described source lists the most common extensions', () => {
  expect(describeExtensions(citySource.extensions)).toBe('34 .gml and 2 .jpg');
  expect(describeExtensions(mixedSource.extensions, 2)).toBe('2 .e57, 5,001 .ptx and 3 other types');
  expect(describeExtensions([{ extension: '', count: 1 }])).toBe('1 without extension');
  expect(describeExtensions([])).toBe('');
});

it('a described source uses the last part of a path on any system', () => {
  expect(['/data/a/', 'D:\\Scans\\c', 'plain', '/'].map(baseName)).toEqual(['a', 'c', 'plain', '/']);
});

describe('several dropped entries', () => {
  const severalDraft = draftFrom(severalSource);

  it('several dropped entries become an asset each if their content suggests it', () => {
    expect(describeSeparate(severalSource.separate)).toBe('3 CityGML assets and 1 point cloud asset');
    const inputs = draftInputs(severalSource, severalDraft, false);
    expect(inputs.map(({ pieces, name, sourceType }) => [pieces?.join(), name, sourceType])).toEqual([
      ['0', 'LoD2 Altstadt', 'CITYGML'],
      ['1', 'LoD2 Neustadt', 'CITYGML'],
      ['2', 'LoD2 Südvorstadt', 'CITYGML'],
      ['3', 'scan 0412', 'POINT_CLOUD'],
    ]);
  });

  it('several dropped entries become one asset if the user wants it', () => {
    const inputs = draftInputs(severalSource, { ...severalDraft, split: false }, false);
    expect(inputs.map(({ paths }) => paths)).toEqual([severalSource.paths]);
  });

  it('several dropped entries require a name and a kind each', () => {
    const [firstAsset, ...otherAssets] = severalDraft.separate;
    const draft: Draft = {
      ...severalDraft,
      separate: firstAsset
        ? [
            { ...firstAsset, name: ' ' },
            ...otherAssets.map((otherAsset) => ({ ...otherAsset, sourceType: '' })),
          ]
        : [],
    };
    expect([...draftProblems(draft).keys()]).toEqual([
      'separate-name-0',
      'separate-kind-1',
      'separate-kind-2',
      'separate-kind-3',
    ]);
    expect(draftInputs(severalSource, draft, false)).toEqual([]);
  });

  it('several dropped entries receive the options that apply to their kind', () => {
    const options = { ...severalDraft.options, inputCrs: 'EPSG:25832', textureFormat: 'WEBP' };
    const draft: Draft = { ...severalDraft, options, furtherOptions: '{"own":1}' };
    expect(draftInputs(severalSource, draft, false).map(({ options }) => JSON.parse(options))).toEqual([
      { own: 1, textureFormat: 'WEBP' },
      { own: 1, textureFormat: 'WEBP' },
      { own: 1, textureFormat: 'WEBP' },
      { own: 1, inputCrs: 'EPSG:25832' },
    ]);
  });
});

it('the last choice is applied and described', () => {
  expect(describeLastChoice(rememberedSource)).toBe(
    'on terrain 2310044, Textures: WEBP, Geometry compression: DRACO',
  );
  expect(draftInput(rememberedSource, draftFrom(rememberedSource), false)).toMatchObject({
    clampToTerrain: true,
    baseTerrainId: 2_310_044,
    options: '{"textureFormat":"WEBP","geometryCompression":"DRACO"}',
  });
});

it('the last choice is not described when it equals the suggestion', () => {
  const lastChoice = {
    assetType: '3DTILES',
    sourceType: 'CITYGML',
    clampToTerrain: false,
    baseTerrainId: null,
    options: '{}',
  } as const;
  expect(describeLastChoice({ ...citySource, lastChoice })).toBeNull();
  expect(describeLastChoice({ ...citySource, lastChoice: { ...lastChoice, sourceType: 'BIM_CAD' } })).toBe(
    '3D Tiles from BIM/CAD model',
  );
});
