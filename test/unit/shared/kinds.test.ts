import { describe, expect, it } from 'vitest';
import { verdictOn } from '../../../main/inspect/data-extensions.ts';
import { fixOf } from '../../../main/inspect/findings/fixes.ts';
import { suggestKind } from '../../../main/inspect/kind-of-data.ts';
import { assetTypes, hasTilingEnded, hasTilingFailed, mayBeClamped } from '../../../shared/assets.ts';
import { mattersTo } from '../../../shared/findings.ts';
import { findKind, fitsAssetType, isOfferedFor, isTiled, kinds } from '../../../shared/kinds.ts';

describe('kinds of data', () => {
  it('kinds of data allow a city model only as 3D Tiles', () => {
    expect(assetTypes.filter((type) => fitsAssetType('CITYGML', type))).toEqual(['3DTILES']);
    expect(fitsAssetType(' CITYGML ', 'TERRAIN')).toBe(false);
  });

  it('kinds of data allow any asset type for unknown kinds', () => {
    for (const type of assetTypes) expect(fitsAssetType('A_NEW_KIND', type)).toBe(true);
    for (const { sourceType, assetType } of kinds) expect(fitsAssetType(sourceType, assetType)).toBe(true);
    expect(findKind('A_NEW_KIND')).toBeUndefined();
  });

  it('kinds of data have distinct extensions', () => {
    const extensions = kinds.flatMap((kind) => kind.extensions);
    expect(new Set(extensions).size).toBe(extensions.length);
  });

  const claimedExtensions = kinds.flatMap(({ sourceType, extensions }) =>
    extensions.map((ext) => [ext, sourceType]),
  );
  it.each(claimedExtensions)(
    'kinds of data: recognises .%s as %s, also in a watched folder',
    (extension = '', sourceType = '') => {
      expect(suggestKind({ files: [{ key: `a.${extension}` }] })?.sourceType).toBe(sourceType);
      expect(['data', 'inspect']).toContain(verdictOn(`a.${extension}`, sourceType));
    },
  );

  it('kinds of data are offered for any files if the service tiles them, else for their own', () => {
    const offeredKinds = (...extensions: readonly string[]) =>
      kinds.filter((kind) => isOfferedFor(kind, extensions));
    const served = (...extensions: readonly string[]) =>
      offeredKinds(...extensions).flatMap((kind) => (isTiled(kind) ? [] : kind.sourceType));
    expect(offeredKinds('obj')).toEqual(kinds.filter(isTiled));
    expect(served('geojson', 'txt')).toEqual(['GEOJSON']);
    expect(served('kml')).toEqual(['KML_FEATURES']);
    expect(served('glb')).toEqual(['GLTF']);
  });

  it('kinds of data are suggested for a file served unchanged, but not for an archive of it', () => {
    const files = [{ key: 'roads.geojson' }];
    expect(suggestKind({ files })).toMatchObject({ sourceType: 'GEOJSON', assetType: 'GEOJSON' });
    expect(suggestKind({ files: [{ key: 'a.zip' }], archivedNames: ['roads.geojson'] })).toBeNull();
  });

  it('kinds of data give KML without models a way out', () => {
    const fix = fixOf('kml-no-models', { endings: ['kml'], besideSystems: new Set(), commonest: null });
    expect(fix).toEqual({ kind: 'switch', sourceType: 'KML_FEATURES' });
    expect(mattersTo('kml-no-models', ['KML_FEATURES'])).toBe(false);
  });

  it('kinds of data can be clamped only as 3D Tiles', () => {
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
])('an asset status: %s has ended: %s, failed: %s', (status, hasEnded, hasFailed) => {
  expect(hasTilingEnded(status)).toBe(hasEnded);
  expect(hasTilingFailed(status)).toBe(hasFailed);
});
