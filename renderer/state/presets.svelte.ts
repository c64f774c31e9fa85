import type { ImportedPresetsView, Preset } from '../../preload/contract.ts';
import type { Api } from '../api.ts';

/** The presets of this computer. */
export class PresetsState {
  /** Empty until they are read. */
  all: readonly Preset[] = $state.raw([]);
  readonly #api: Api;
  readonly #newId: () => string;
  #read: Promise<void> | null = null;

  constructor(api: Api, newId: () => string) {
    this.#api = api;
    this.#newId = newId;
  }

  /** Reads them once. What can't be read is none: nothing depends on presets. */
  ensure(): Promise<void> {
    this.#read ??= this.#api.call('presets.list', null).then(
      (all) => {
        this.all = all;
      },
      () => {
        this.#read = null;
      },
    );
    return this.#read;
  }

  /** Those for a source type, by name. */
  of(sourceType: string): readonly Preset[] {
    return this.all
      .filter((one) => one.sourceType === sourceType.trim())
      .toSorted((a, b) => a.name.localeCompare(b.name));
  }

  /** What data of this source type gets without being asked for; undefined for nothing. */
  defaultOf(sourceType: string): Preset | undefined {
    return this.of(sourceType).find(({ isDefault }) => isDefault);
  }

  /** Throws `ApiError`. One of the same name for the same source type is replaced. */
  async add(preset: Omit<Preset, 'id' | 'isDefault'>): Promise<void> {
    const same = this.of(preset.sourceType).find(
      ({ name }) => name.toLowerCase() === preset.name.toLowerCase(),
    );
    await this.change({ ...preset, id: same?.id ?? this.#newId(), isDefault: same?.isDefault ?? false });
  }

  /** Throws `ApiError`. */
  async change(preset: Preset): Promise<void> {
    this.all = await this.#api.call('presets.save', preset);
  }

  /** Throws `ApiError`. */
  async remove(id: string): Promise<void> {
    this.all = await this.#api.call('presets.remove', id);
  }

  /** Where they are; null when the person has cancelled. Throws `ApiError`. */
  exportAll(): Promise<string | null> {
    return this.#api.call('presets.export', null);
  }

  /** Throws `ApiError`. */
  async importFile(): Promise<ImportedPresetsView | null> {
    const imported = await this.#api.call('presets.import', null);
    if (imported?.kind === 'imported') this.all = imported.presets;
    return imported;
  }
}
