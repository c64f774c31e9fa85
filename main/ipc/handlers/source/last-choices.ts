import type { NewAssetInput, SourceView } from '../../../../preload/contract.ts';
import { furtherOptions } from '../../../../shared/creation-options.ts';
import { requestedTerrain } from '../../../../shared/tiling-options.ts';
import type { KeptChoice, SettingsStore } from '../../../settings.ts';

/** Limit of remembered kinds; drops the longest unused first. */
const maxKinds = 50;
/** Options that only suit one source. */
const singleSourceOptions = ['position'];

/** Stores the user's choices for the next source of this kind. */
export function rememberChoice(settings: SettingsStore, accountId: string, input: NewAssetInput): void {
  const { kindKey, assetType, sourceType, clampToTerrain } = input;
  if (kindKey === null) return;
  const lastingOptions = Object.entries(furtherOptions(input.options)).filter(
    ([name]) => !singleSourceOptions.includes(name),
  );
  const choice: KeptChoice = {
    accountId,
    assetType,
    sourceType: sourceType.trim(),
    clampToTerrain,
    baseTerrainId: requestedTerrain(input),
    options: JSON.stringify(Object.fromEntries(lastingOptions)),
  };
  const { [kindKey]: _before, ...otherChoices } = settings.get().lastChoices;
  const keptChoices = Object.entries(otherChoices).slice(-(maxKinds - 1));
  settings.update({ lastChoices: { ...Object.fromEntries(keptChoices), [kindKey]: choice } });
}

/**
 * Returns the default preset of the kind, else the last choices, or null. Drops clamping to another account's
 * terrain.
 */
export function recallChoice(
  settings: SettingsStore,
  accountId: string,
  kindKey: string,
): SourceView['lastChoice'] {
  const { lastChoices, presets } = settings.get();
  const usualPreset = presets.find((preset) => preset.isDefault && preset.sourceType === kindKey);
  const lastChoice = Object.hasOwn(lastChoices, kindKey) ? lastChoices[kindKey] : undefined;
  const choice = usualPreset ?? lastChoice;
  if (!choice) return null;
  const { assetType, sourceType, clampToTerrain, baseTerrainId, options, accountId: chosenIn } = choice;
  const fields = { assetType, sourceType, clampToTerrain, baseTerrainId, options };
  const view = usualPreset ? { ...fields, isPreset: true as const } : fields;
  const isFromOtherAccount = view.baseTerrainId !== null && chosenIn !== accountId;
  return isFromOtherAccount ? { ...view, clampToTerrain: false, baseTerrainId: null } : view;
}
