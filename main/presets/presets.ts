import type { Preset } from '../../shared/schemas/presets.ts';
import { TileliftError } from '../errors.ts';
import type { SettingsPort } from '../settings-port.ts';
import { isSame, maxPresets, type SharedPreset } from './presets-file.ts';

/** Of the settings, what presets are kept in. */
type PresetSettings = SettingsPort<{ presets: readonly Preset[] }>;

/** The presets of this computer, in the order in which they were made. */
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
   * Keeps a new preset or a changed one, by its id. One of the same name for the same kind of data makes
   * room.
   *
   * @throws TileliftError `presets-too-many`
   */
  save(preset: Preset): readonly Preset[] {
    return this.#keep(withPreset(this.list(), preset));
  }

  /** By its id. */
  remove(id: string): readonly Preset[] {
    return this.#keep(this.list().filter((one) => one.id !== id));
  }

  /**
   * Those of a file: each takes the place of one of the same name and kind of data.
   *
   * @throws TileliftError `presets-too-many`
   */
  add(given: readonly SharedPreset[]): readonly Preset[] {
    const added = given.reduce<readonly Preset[]>((presets, one) => {
      const id = presets.find((other) => isSame(other, one))?.id ?? this.#newId();
      return withPreset(presets, { ...one, id, accountId: null, baseTerrainId: null });
    }, this.list());
    return this.#keep(added);
  }

  #keep(presets: readonly Preset[]): readonly Preset[] {
    if (presets.length > maxPresets) throw new TileliftError('presets-too-many');
    this.#settings.update({ presets });
    return presets;
  }
}

/** The presets with one more, or with one changed; of its kind of data no other is the default beside it. */
function withPreset(presets: readonly Preset[], preset: Preset): readonly Preset[] {
  const others = presets
    .filter((one) => one.id === preset.id || !isSame(one, preset))
    .map((one) =>
      preset.isDefault && one.sourceType === preset.sourceType ? { ...one, isDefault: false } : one,
    );
  const at = others.findIndex(({ id }) => id === preset.id);
  return at === -1 ? [...others, preset] : others.with(at, preset);
}
