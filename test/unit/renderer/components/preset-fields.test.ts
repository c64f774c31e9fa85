import { expect, it } from 'vitest';
import {
  fieldsOfPreset,
  plainFields,
  presetLike,
  presetOfFields,
} from '../../../../renderer/components/presets/preset-fields.ts';
import { blankOptions } from '../../../../renderer/state/options/options-draft.ts';
import type { Preset } from '../../../../shared/schemas/presets.ts';

const preset: Preset = {
  ...{ id: 'a', name: 'Mast', assetType: '3DTILES', sourceType: '3D_MODEL', clampToTerrain: true },
  ...{ baseTerrainId: 7, accountId: 'mara', isDefault: false },
  options: '{"instancing":true,"more":{"x":1}}',
};
const placedFields = {
  ...blankOptions,
  options: { ...blankOptions.options, longitude: '9', latitude: '52', height: '3' },
};

it('a preset survives its use in a form', () => {
  const fields = fieldsOfPreset(preset, 'mara', blankOptions);
  const { id: _id, name: _name, isDefault: _isDefault, ...keptFields } = preset;
  const secondPreset = presetOfFields(fields, 'mara');
  expect(JSON.parse(secondPreset?.options ?? '')).toEqual(JSON.parse(keptFields.options));
  expect(secondPreset).toMatchObject({ ...keptFields, options: secondPreset?.options });
  expect(presetLike([preset], fields, 'mara')).toBe(preset);
  expect(presetLike([preset], { ...fields, clampToTerrain: false }, 'mara')).toBeUndefined();
});

it('a preset has no position and keeps the entered one', () => {
  const fields = fieldsOfPreset(preset, 'mara', placedFields);
  expect(fields.options).toMatchObject({ longitude: '9', latitude: '52', height: '3', instancing: true });
  expect(presetOfFields(fields, 'mara')?.options).not.toContain('position');
  expect(presetLike([preset], fields, 'mara')).toBe(preset);
  expect(plainFields(fields).options).toMatchObject({ longitude: '9', instancing: false });
});

it('a preset does not clamp to the terrain of another account', () => {
  expect(fieldsOfPreset(preset, 'jo', blankOptions)).toMatchObject({
    clampToTerrain: false,
    baseTerrainId: null,
  });
});

it('a preset requires type and source type', () => {
  const fields = fieldsOfPreset(preset, 'mara', blankOptions);
  expect(presetOfFields({ ...fields, assetType: null }, 'mara')).toBeNull();
  expect(presetOfFields({ ...fields, sourceType: ' ' }, 'mara')).toBeNull();
});
