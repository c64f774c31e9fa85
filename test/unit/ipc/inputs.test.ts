import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callInputs } from '../../../main/ipc/inputs.ts';
import { callNames } from '../../../preload/contract.ts';

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

describe('what the page may send', () => {
  it('never makes a check throw', () => {
    fc.assert(
      fc.property(fc.constantFrom(...callNames), fc.anything(), (name, input) => {
        expect(typeof callInputs[name].safeParse(input).success).toBe('boolean');
      }),
    );
  });

  it('takes a new asset as the sheet gives it', () => {
    expect(callInputs['jobs.create'].safeParse(newAsset).success).toBe(true);
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
  ])('refuses a new asset with %s', (_what, input) => {
    expect(callInputs['jobs.create'].safeParse(input).success).toBe(false);
  });

  it('refuses an action that does not exist', () => {
    expect(callInputs['jobs.act'].safeParse({ id: 'a', action: 'explode' }).success).toBe(false);
  });
});
