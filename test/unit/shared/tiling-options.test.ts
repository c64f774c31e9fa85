import { describe, expect, it } from 'vitest';
import { creationBody } from '../../../main/cli/upload/options.ts';
import { isSwitch, isText, noOptions, type OptionValues } from '../../../renderer/state/options/options.ts';
import { optionsDraftOf, optionsText } from '../../../renderer/state/options/options-draft.ts';
import { creationOptions, creationRequest, withTilesetRoot } from '../../../shared/creation-options.ts';
import { findKind, kinds } from '../../../shared/kinds.ts';
import {
  hasOption,
  kindsWithBaseTerrain,
  type OptionName,
  optionFacts,
  optionNames,
  requestedTerrain,
  sharesOption,
  terrainFields,
} from '../../../shared/tiling-options.ts';

/** One valid entry for every field. */
const enteredValues: OptionValues = {
  ...noOptions,
  ...Object.fromEntries(optionNames.filter(isSwitch).map((name) => [name, true])),
  ...Object.fromEntries(optionNames.filter(isText).map((name) => [name, valueFor(name)])),
  ...{ longitude: '13,4', latitude: '52.5', height: '34' },
};

function valueFor(name: OptionName): string {
  const { field, choices } = optionFacts(name);
  if (field === 'system') return 'EPSG:25833';
  return choices?.[0] ?? (field === 'number' ? '0,3048' : 'city/root.json');
}

const asForm = (sourceType: string) =>
  creationOptions({
    ...{ sourceType, clampToTerrain: false, baseTerrainId: 1 },
    options: optionsText({ options: enteredValues, furtherOptions: '' }, sourceType),
  });

it.each(kinds)('tiling options: builds the request for $sourceType from its rows', ({ sourceType }) => {
  const type = findKind(sourceType)?.assetType;
  expect(creationRequest({ type, options: asForm(sourceType) })).toMatchSnapshot();
});

it.each(kinds)(
  'tiling options: sends the same request for $sourceType from form, command and rule',
  ({ sourceType }) => {
    const options = optionsText({ options: enteredValues, furtherOptions: '' }, sourceType);
    const baseTerrainId = kindsWithBaseTerrain.includes(sourceType) ? 1 : null;
    const fromCommand = creationBody(
      { paths: ['/data/a'], primary: null, suggestion: null, inDoubt: null },
      {
        clampToTerrain: false,
        oneEach: false,
        wait: true,
        check: false,
        acceptForecast: false,
        again: false,
        giveUpAfter: 1,
        exclude: [],
        dryRun: false,
        options,
        sourceType,
      },
      baseTerrainId,
    ).options;
    const fromRule = creationOptions({ sourceType, clampToTerrain: false, baseTerrainId, options });
    expect(fromCommand).toEqual(asForm(sourceType));
    expect(fromRule).toEqual(asForm(sourceType));
  },
);

it.each(kinds)(
  'tiling options: shows a stored request for $sourceType in the same fields',
  ({ sourceType }) => {
    const options = optionsText({ options: enteredValues, furtherOptions: '' }, sourceType);
    expect(optionsText(optionsDraftOf(options, sourceType), sourceType)).toBe(options);
    expect(optionsDraftOf(options, sourceType).furtherOptions).toBe('');
  },
);

it('tiling options: names the root of a tileset, unless the options do', () => {
  const scene = withTilesetRoot('{"a":1}', '3DTILES', 'scene.json');
  expect(JSON.parse(scene)).toEqual({ tilesetJson: 'scene.json', a: 1 });
  expect(JSON.parse(withTilesetRoot(scene, '3DTILES', 'other.json'))).toEqual(JSON.parse(scene));
  expect(withTilesetRoot('{}', '3DTILES', undefined)).toBe('{}');
  expect(withTilesetRoot('{}', 'KML', 'scene.json')).toBe('{}');
});

it('tiling options: keeps values that no field can show as further options', () => {
  const storedOptions = JSON.stringify({ heightReference: 'LOWEST_TIDE', toMeters: -1, quality: 3 });
  const draft = optionsDraftOf(storedOptions, 'RASTER_TERRAIN');
  expect(JSON.parse(draft.furtherOptions)).toEqual(JSON.parse(storedOptions));
});

it('tiling options: applies unlisted options to all kinds', () => {
  expect(hasOption('CITYGML', 'instancing')).toBe(false);
  expect(hasOption('CITYGML', 'anything')).toBe(true);
  expect(hasOption('CITYGML', 'toString')).toBe(true);
});

it('tiling options: keeps a shared coordinate system from rasters, which name their own', () => {
  expect(hasOption('RASTER_IMAGERY', 'inputCrs')).toBe(true);
  expect(sharesOption('RASTER_IMAGERY', 'inputCrs')).toBe(false);
  expect(sharesOption('POINT_CLOUD', 'inputCrs')).toBe(true);
});

describe('terrain options', () => {
  const typedAsset = (sourceType: string) => ({
    assetType: findKind(sourceType)?.assetType ?? ('3DTILES' as const),
    sourceType,
  });
  const sourceTypes = [...kinds.map(({ sourceType }) => sourceType), 'A_NEW_KIND'];

  it('terrain options: offers clamping for data that stands on the ground and for unknown kinds', () => {
    const offeredTypes = sourceTypes.filter(
      (sourceType) => terrainFields([typedAsset(sourceType)], false).clamp,
    );
    expect(offeredTypes).toEqual(['CITYGML', '3D_MODEL', 'BIM_CAD', 'KML', 'A_NEW_KIND']);
  });

  it('terrain options: offers a base terrain without clamping for terrain and KML', () => {
    const offeredTypes = sourceTypes.filter(
      (sourceType) => terrainFields([typedAsset(sourceType)], false).base,
    );
    expect(offeredTypes).toEqual(['KML', 'RASTER_TERRAIN']);
  });

  it('terrain options: sends a base terrain without clamping only for kinds that accept it', () => {
    const chosenTerrain = { clampToTerrain: false, baseTerrainId: 1 };
    expect(requestedTerrain({ ...chosenTerrain, sourceType: 'RASTER_TERRAIN' })).toBe(1);
    expect(requestedTerrain({ ...chosenTerrain, sourceType: 'CITYGML' })).toBeNull();
    expect(requestedTerrain({ ...chosenTerrain, clampToTerrain: true, sourceType: 'CITYGML' })).toBe(1);
  });
});
