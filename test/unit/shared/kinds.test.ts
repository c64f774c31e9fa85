import { describe, expect, it } from 'vitest';
import { assetTypes, hasTilingEnded, hasTilingFailed, mayBeClamped } from '../../../shared/assets.ts';
import { findKind, fitsAssetType, kinds } from '../../../shared/kinds.ts';

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

  it('can be clamped only as 3D Tiles', () => {
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
