import type { Preset } from '../../../preload/contract.ts';
import type { AssetType } from '../../../shared/assets.ts';
import { furtherOptions } from '../../../shared/creation-options.ts';
import { requestedTerrain } from '../../../shared/tiling-options.ts';
import {
  blankOptions,
  type OptionsDraft,
  optionsDraftOf,
  optionsText,
} from '../../state/options/options-draft.ts';

/** A preset's fields in the forms of new assets and watched folders. */
export interface PresetFields extends OptionsDraft {
  readonly assetType: AssetType | null;
  readonly sourceType: string;
  readonly clampToTerrain: boolean;
  readonly baseTerrainId: number | null;
}

/** Fields that suit one source only. */
const singleSourceOptions: ReadonlySet<string> = new Set(['position']);

/**
 * Applies a preset for an account: other accounts' terrains don't exist there, so nothing is clamped. An
 * entered position stays.
 */
export function fieldsOfPreset(preset: Preset, accountId: string, previous: OptionsDraft): PresetFields {
  const { assetType, sourceType, baseTerrainId } = preset;
  const isForeign = baseTerrainId !== null && preset.accountId !== accountId;
  const draft = optionsDraftOf(preset.options, sourceType);
  const { longitude, latitude, height } = previous.options;
  return {
    ...{ assetType, sourceType, clampToTerrain: preset.clampToTerrain && !isForeign },
    baseTerrainId: isForeign ? null : baseTerrainId,
    ...draft,
    options: { ...draft.options, longitude, latitude, height },
  };
}

/** Clears all options except those of the source. */
export function plainFields({ options }: OptionsDraft): Omit<PresetFields, 'assetType' | 'sourceType'> {
  const { longitude, latitude, height } = options;
  return {
    clampToTerrain: false,
    baseTerrainId: null,
    ...blankOptions,
    options: { ...blankOptions.options, longitude, latitude, height },
  };
}

/** A preset from the form, without a name; null if type or source type is missing. */
export function presetOfFields(
  fields: PresetFields,
  accountId: string,
): Omit<Preset, 'id' | 'name' | 'isDefault'> | null {
  const { assetType, clampToTerrain } = fields;
  const sourceType = fields.sourceType.trim();
  if (assetType === null || sourceType === '') return null;
  const lastingOptions = Object.entries(furtherOptions(optionsText(fields, sourceType))).filter(
    ([name]) => !singleSourceOptions.has(name),
  );
  const baseTerrainId = requestedTerrain(fields);
  return {
    ...{ assetType, sourceType, clampToTerrain, baseTerrainId },
    accountId: baseTerrainId === null ? null : accountId,
    options: JSON.stringify(Object.fromEntries(lastingOptions)),
  };
}

export function presetLike(
  presets: readonly Preset[],
  fields: PresetFields,
  accountId: string,
): Preset | undefined {
  const current = presetOfFields(fields, accountId);
  const blank = blankOptions;
  return current === null
    ? undefined
    : presets.find((preset) => {
        const applied = presetOfFields(fieldsOfPreset(preset, accountId, blank), accountId);
        return applied !== null && textOf(applied) === textOf(current);
      });
}

function textOf({ options, ...facts }: Omit<Preset, 'id' | 'name' | 'isDefault'>): string {
  const sortedOptions = Object.entries(furtherOptions(options)).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1)), sortedOptions]);
}
