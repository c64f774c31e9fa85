import { describe, expect, it } from 'vitest';
import { assetTypes, hasTilingEnded, hasTilingFailed, mayBeClamped } from '../../../shared/assets.ts';
import {
  canStandOnTerrain,
  findKind,
  fitsAssetType,
  hasOption,
  kinds,
  sharesOption,
} from '../../../shared/kinds.ts';

describe('kinds of data', () => {
  it('allow a city model only as 3D Tiles', () => {
    expect(assetTypes.filter((type) => fitsAssetType('CITYGML', type))).toEqual(['3DTILES']);
    expect(fitsAssetType(' CITYGML ', 'TERRAIN')).toBe(false);
  });

  it('allow any asset type for unknown kinds', () => {
    for (const type of assetTypes) expect(fitsAssetType('A_NEW_KIND', type)).toBe(true);
    for (const { sourceType, assetType } of kinds) expect(fitsAssetType(sourceType, assetType)).toBe(true);
    expect(findKind('A_NEW_KIND')).toBeUndefined();
  });

  it('have distinct extensions', () => {
    const extensions = kinds.flatMap((kind) => kind.extensions);
    expect(new Set(extensions).size).toBe(extensions.length);
  });

  it('limit some options to their kinds and allow all others', () => {
    expect(hasOption('3D_MODEL', 'instancing')).toBe(true);
    expect(hasOption('CITYGML', 'instancing')).toBe(false);
    expect(hasOption('CITYGML', 'anything')).toBe(true);
    expect(hasOption('CITYGML', 'toString')).toBe(true);
  });

  it('can be clamped if they stand on the ground', () => {
    expect(assetTypes.filter(mayBeClamped)).toEqual(['3DTILES']);
    expect(mayBeClamped(null)).toBe(false);
  });
});

it.each([
  ['COMPLETE', true, false],
  ['DATA_ERROR', true, true],
  ['ERROR', true, true],
  ['IN_PROGRESS', false, false],
  ['SOMETHING_NEW', false, false],
])('an asset status: %s has ended: %s, failed: %s', (status, ended, failed) => {
  expect(hasTilingEnded(status)).toBe(ended);
  expect(hasTilingFailed(status)).toBe(failed);
});

describe('options', () => {
  it('of several kinds are valid for rasters', () => {
    expect(hasOption('RASTER_IMAGERY', 'inputCrs')).toBe(true);
    expect(sharesOption('RASTER_IMAGERY', 'inputCrs')).toBe(false);
    expect(sharesOption('POINT_CLOUD', 'inputCrs')).toBe(true);
    expect(sharesOption('RASTER_TERRAIN', 'quality')).toBe(true);
  });

  it('include clamping for ground objects and unknown kinds', () => {
    const offered = 'CITYGML 3D_CAPTURE POINT_CLOUD 3D_MODEL BIM_CAD KML 3DTILES A_NEW_KIND'.split(' ');
    expect(offered.filter((type) => canStandOnTerrain('3DTILES', type))).toEqual([
      ...['CITYGML', '3D_MODEL', 'BIM_CAD', 'KML', 'A_NEW_KIND'],
    ]);
    expect(canStandOnTerrain('IMAGERY', 'CITYGML')).toBe(false);
  });
});
