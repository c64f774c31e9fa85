import { describe, expect, it } from 'vitest';
import { assetTypes, hasTilingEnded, hasTilingFailed, mayBeClamped } from '../../../shared/assets.ts';
import { findKind, fitsAssetType, kinds } from '../../../shared/kinds.ts';

describe('what the service makes of data', () => {
  it('is a city model as 3D tiles only', () => {
    expect(assetTypes.filter((type) => fitsAssetType('CITYGML', type))).toEqual(['3DTILES']);
    expect(fitsAssetType(' CITYGML ', 'TERRAIN')).toBe(false);
  });

  it('is anything that the service has not refused, of other kinds', () => {
    for (const type of assetTypes) expect(fitsAssetType('A_NEW_KIND', type)).toBe(true);
    for (const { sourceType, assetType } of kinds) expect(fitsAssetType(sourceType, assetType)).toBe(true);
    expect(findKind('A_NEW_KIND')).toBeUndefined();
  });

  it('no two kinds are recognised by one extension', () => {
    const extensions = kinds.flatMap((kind) => kind.extensions);
    expect(new Set(extensions).size).toBe(extensions.length);
  });

  it('can be clamped where it stands on the ground', () => {
    expect(assetTypes.filter(mayBeClamped)).toEqual(['3DTILES']);
    expect(mayBeClamped(null)).toBe(false);
  });
});

describe('the status of an asset', () => {
  it.each([
    ['COMPLETE', true, false],
    ['DATA_ERROR', true, true],
    ['ERROR', true, true],
    ['IN_PROGRESS', false, false],
    ['SOMETHING_NEW', false, false],
  ])('%s: ended %s, failed %s', (status, ended, failed) => {
    expect(hasTilingEnded(status)).toBe(ended);
    expect(hasTilingFailed(status)).toBe(failed);
  });
});
