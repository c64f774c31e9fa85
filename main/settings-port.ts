/** Modules depend only on the settings they name. */
export interface SettingsPort<Values> {
  get(): Values;
  update(change: Partial<Values>): void;
}

/** A read-only view. */
export type SettingsView<Values> = Pick<SettingsPort<Values>, 'get'>;
