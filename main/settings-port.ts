/**
 * A module's view of the settings. Each module names only those that it uses and is independent of the rest
 * of the store.
 */
export interface SettingsPort<Values> {
  get(): Values;
  update(change: Partial<Values>): void;
}

/** A read-only view. */
export type SettingsView<Values> = Pick<SettingsPort<Values>, 'get'>;
