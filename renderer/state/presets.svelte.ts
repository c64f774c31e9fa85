import type { ImportedPresetsView, Preset } from '../../preload/contract.ts';
import type { Api } from '../api.ts';

/** Presets of this computer. Methods throw `ApiError`. */
export class PresetsState {
  list: readonly Preset[] = $state.raw([]);
  readonly #api: Api;
  readonly #newId: () => string;
  #read: Promise<void> | null = null;

  constructor(api: Api, newId: () => string) {
    this.#api = api;
    this.#newId = newId;
  }

  /** Loads once. A failure leaves the list empty: nothing depends on presets. */
  ensure(): Promise<void> {
    this.#read ??= this.#api.call('presets.list', null).then(
      (presets) => {
        this.list = presets;
      },
      () => {
        this.#read = null;
      },
    );
    return this.#read;
  }

  forSourceType(sourceType: string): readonly Preset[] {
    return this.list
      .filter((preset) => preset.sourceType === sourceType.trim())
      .toSorted((a, b) => a.name.localeCompare(b.name));
  }

  defaultOf(sourceType: string): Preset | undefined {
    return this.forSourceType(sourceType).find(({ isDefault }) => isDefault);
  }

  /** Replaces a preset with the same name and source type. */
  async add(preset: Omit<Preset, 'id' | 'isDefault'>): Promise<void> {
    const existing = this.forSourceType(preset.sourceType).find(
      ({ name }) => name.toLowerCase() === preset.name.toLowerCase(),
    );
    await this.change({
      ...preset,
      id: existing?.id ?? this.#newId(),
      isDefault: existing?.isDefault ?? false,
    });
  }

  async change(preset: Preset): Promise<void> {
    this.list = await this.#api.call('presets.save', preset);
  }

  async remove(id: string): Promise<void> {
    this.list = await this.#api.call('presets.remove', id);
  }

  /** Returns the file's path; null if the person cancelled. */
  exportAll(): Promise<string | null> {
    return this.#api.call('presets.export', null);
  }

  async importFile(): Promise<ImportedPresetsView | null> {
    const importedPresets = await this.#api.call('presets.import', null);
    if (importedPresets?.kind === 'imported') this.list = importedPresets.presets;
    return importedPresets;
  }
}
