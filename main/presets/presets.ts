import type { Preset } from '../../shared/schemas/presets.ts';
import { TileliftError } from '../errors.ts';
import type { SettingsPort } from '../settings-port.ts';
import { isSame, maxPresets, type SharedPreset } from './presets-file.ts';

type PresetSettings = SettingsPort<{ presets: readonly Preset[] }>;

/** In order of creation. */
export class Presets {
  readonly #settings: PresetSettings;
  readonly #newId: () => string;

  constructor(settings: PresetSettings, newId: () => string) {
    this.#settings = settings;
    this.#newId = newId;
  }

  list(): readonly Preset[] {
    return this.#settings.get().presets;
  }

  /**
   * Replaces the same name and kind of data.
   * @throws TileliftError `presets-too-many`
   */
  save(preset: Preset): readonly Preset[] {
    return this.#store(withPreset(this.list(), preset));
  }

  remove(id: string): readonly Preset[] {
    return this.#store(this.list().filter((preset) => preset.id !== id));
  }

  /**
   * Replaces the same names and kinds of data.
   * @throws TileliftError `presets-too-many`
   */
  add(sharedPresets: readonly SharedPreset[]): readonly Preset[] {
    const added = sharedPresets.reduce<readonly Preset[]>((presets, preset) => {
      const id = presets.find((candidate) => isSame(candidate, preset))?.id ?? this.#newId();
      return withPreset(presets, { ...preset, id, accountId: null, baseTerrainId: null });
    }, this.list());
    return this.#store(added);
  }

  #store(presets: readonly Preset[]): readonly Preset[] {
    if (presets.length > maxPresets) throw new TileliftError('presets-too-many');
    this.#settings.update({ presets });
    return presets;
  }
}

/** Keeps at most one default for its kind of data. */
function withPreset(presets: readonly Preset[], preset: Preset): readonly Preset[] {
  const otherPresets = presets
    .filter((candidate) => candidate.id === preset.id || !isSame(candidate, preset))
    .map((candidate) =>
      preset.isDefault && candidate.sourceType === preset.sourceType
        ? { ...candidate, isDefault: false }
        : candidate,
    );
  const index = otherPresets.findIndex(({ id }) => id === preset.id);
  return index === -1 ? [...otherPresets, preset] : otherPresets.with(index, preset);
}
