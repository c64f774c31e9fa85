import fc from 'fast-check';
import { expect, it } from 'vitest';
import { callInputs } from '../../../main/ipc/inputs.ts';
import { callNames } from '../../../preload/contract.ts';
import { maxDeletedAssets } from '../../../shared/assets.ts';
import { townGrid } from '../inspect/changes/town-grid.ts';

const newAsset = {
  paths: ['/data/town'],
  name: 'Town',
  description: '',
  assetType: '3DTILES',
  sourceType: 'CITYGML',
  clampToTerrain: false,
  baseTerrainId: null,
  options: '{"textureFormat":"WEBP"}',
  kindKey: 'CITYGML',
  acceptForecast: false,
};

it('callInputs never throw', () => {
  fc.assert(
    fc.property(fc.constantFrom(...callNames), fc.anything(), (name, input) => {
      expect(typeof callInputs[name].safeParse(input).success).toBe('boolean');
    }),
  );
});

it('callInputs accept a new asset from the sheet', () => {
  expect(callInputs['jobs.create'].safeParse(newAsset).success).toBe(true);
});

it('callInputs accept decisions about the files of a source', () => {
  const changes = {
    leftOut: [{ finding: 'cut-off' }, { keys: ['in/a.tif'] }],
    assigned: [{ epsg: 25832, files: { finding: 'no-system-raster' } }],
    worded: [{ wkt: townGrid, files: { keys: ['a.tif'] } }],
  };
  const parsed = callInputs['jobs.create'].safeParse({ ...newAsset, changes });
  expect(parsed.data).toEqual({ ...newAsset, changes });
});

it.each([
  ['a finding that there is not', { leftOut: [{ finding: 'ugly' }], assigned: [] }],
  ['an absolute path', { leftOut: [{ keys: ['/etc/passwd'] }], assigned: [] }],
  ['no files', { leftOut: [{ keys: [] }], assigned: [] }],
  ['keys and a finding at once', { leftOut: [{ keys: ['a'], finding: 'empty' }], assigned: [] }],
  ['a code that is no number', { leftOut: [], assigned: [{ epsg: 'EPSG:25832', files: { keys: ['a'] } }] }],
  [
    'words that are no system',
    { leftOut: [], assigned: [], worded: [{ wkt: '<!DOCTYPE a>', files: { keys: ['a'] } }] },
  ],
  ['half of it', { leftOut: [] }],
])('callInputs refuse changes with %s', (_what, changes) => {
  expect(callInputs['jobs.create'].safeParse({ ...newAsset, changes }).success).toBe(false);
});

it.each([
  ['a relative path', { ...newAsset, paths: ['town'] }],
  ['no path', { ...newAsset, paths: [] }],
  ['an unknown type', { ...newAsset, assetType: 'MESH' }],
  ['a terrain that is no id', { ...newAsset, baseTerrainId: '7' }],
  ['options that are no JSON', { ...newAsset, options: '{' }],
  ['options that are no object', { ...newAsset, options: '[1]' }],
  ['options that name the source type again', { ...newAsset, options: '{"sourceType":"KML"}' }],
  ['a missing switch', { ...newAsset, clampToTerrain: undefined }],
])('callInputs refuse a new asset with %s', (_what, input) => {
  expect(callInputs['jobs.create'].safeParse(input).success).toBe(false);
});

it('callInputs refuse an unknown action', () => {
  expect(callInputs['jobs.act'].safeParse({ id: 'a', action: 'explode' }).success).toBe(false);
});

it('callInputs accept new names and descriptions of assets, and deletions of as many as a dialog can name', () => {
  const edit = (change: unknown) => callInputs['assets.edit'].safeParse({ id: 7, change });
  expect(edit({ name: ' Town ', description: '' }).data?.change).toEqual({ name: 'Town', description: '' });
  for (const wrongChange of [{ name: ' ' }, { status: 'COMPLETE' }, null])
    expect(edit(wrongChange).success).toBe(false);
  const ids = Array.from({ length: maxDeletedAssets }, (_, index) => index + 1);
  expect(callInputs['assets.delete'].safeParse(ids).success).toBe(true);
  for (const wrongIds of [[], [0], ['7'], [...ids, 99]])
    expect(callInputs['assets.delete'].safeParse(wrongIds).success).toBe(false);
});
