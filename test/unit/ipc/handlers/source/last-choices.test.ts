import { expect, it } from 'vitest';
import { recallChoice, rememberChoice } from '../../../../../main/ipc/handlers/source/last-choices.ts';
import { creationBody } from '../../../../../main/ipc/views/views.ts';
import { type Settings, type SettingsStore, settingsSchema } from '../../../../../main/settings.ts';
import type { NewAssetInput, Preset } from '../../../../../preload/contract.ts';

function inMemory(): SettingsStore {
  let settings: Settings = settingsSchema.parse({});
  return {
    get: () => settings,
    update: (change) => {
      settings = settingsSchema.parse({ ...settings, ...change });
    },
  };
}
const input: NewAssetInput = {
  paths: ['/data/town'],
  name: ' Town ',
  description: '',
  assetType: '3DTILES',
  sourceType: ' CITYGML ',
  clampToTerrain: true,
  baseTerrainId: 7,
  options: '{"textureFormat":"WEBP","position":[1,2,3]}',
  kindKey: 'CITYGML',
  acceptForecast: false,
};

it('last choices yield to the default preset of the kind of data', () => {
  const settings = inMemory();
  rememberChoice(settings, 'mara', input);
  const preset: Preset = {
    ...{ id: 'a', name: 'Plain', assetType: '3DTILES', sourceType: 'CITYGML', clampToTerrain: true },
    ...{ baseTerrainId: 7, accountId: 'jo', options: '{}', isDefault: true },
  };
  settings.update({ presets: [preset] });
  const plain = { assetType: '3DTILES', sourceType: 'CITYGML', options: '{}', isPreset: true };
  const [clamped, unclamped] = [
    { ...plain, clampToTerrain: true, baseTerrainId: 7 },
    { ...plain, clampToTerrain: false, baseTerrainId: null },
  ];
  expect(recallChoice(settings, 'jo', 'CITYGML')).toEqual(clamped);
  expect(recallChoice(settings, 'mara', 'CITYGML')).toEqual(unclamped);
  settings.update({ presets: [{ ...preset, isDefault: false }] });
  expect(recallChoice(settings, 'mara', 'CITYGML')).toMatchObject({ options: '{"textureFormat":"WEBP"}' });
});

it('last choices return for the same kind of data, without what belongs to one source', () => {
  const settings = inMemory();
  rememberChoice(settings, 'mara', input);
  expect(recallChoice(settings, 'mara', 'CITYGML')).toEqual({
    assetType: '3DTILES',
    sourceType: 'CITYGML',
    clampToTerrain: true,
    baseTerrainId: 7,
    options: '{"textureFormat":"WEBP"}',
  });
  expect(recallChoice(settings, 'mara', 'KML')).toBeNull();
  expect(recallChoice(settings, 'mara', 'constructor')).toBeNull();
});

it('last choices never put buildings on another account’s terrain', () => {
  const settings = inMemory();
  rememberChoice(settings, 'mara', input);
  expect(recallChoice(settings, 'jon', 'CITYGML')).toMatchObject({
    clampToTerrain: false,
    baseTerrainId: null,
  });
  rememberChoice(settings, 'mara', { ...input, baseTerrainId: null });
  expect(recallChoice(settings, 'jon', 'CITYGML')).toMatchObject({
    clampToTerrain: true,
    baseTerrainId: null,
  });
});

it('last choices keep the 50 most recent kinds', () => {
  const settings = inMemory();
  for (let kind = 0; kind < 60; kind++) rememberChoice(settings, 'mara', { ...input, kindKey: `.k${kind}` });
  rememberChoice(settings, 'mara', { ...input, kindKey: null });
  expect(Object.keys(settings.get().lastChoices)).toHaveLength(50);
  expect(recallChoice(settings, 'mara', '.k59')).not.toBeNull();
  expect(recallChoice(settings, 'mara', '.k9')).toBeNull();
});

it('creationBody() includes further options next to named fields', () => {
  expect(creationBody(input)).toEqual({
    name: 'Town',
    type: '3DTILES',
    options: {
      textureFormat: 'WEBP',
      position: [1, 2, 3],
      sourceType: 'CITYGML',
      clampToTerrain: true,
      baseTerrainId: 7,
    },
  });
  expect(creationBody({ ...input, clampToTerrain: false, options: '{}' }).options).toEqual({
    sourceType: 'CITYGML',
  });
});
