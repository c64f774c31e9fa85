/**
 * A few of the settings, as one room sees them. Each room names those that it reads or changes itself; the
 * store of all of them fits, and so no room depends on what the others keep there.
 */
export interface SettingsPort<Values> {
  get(): Values;
  update(change: Partial<Values>): void;
}

/** Likewise, for whoever changes nothing. */
export type SettingsView<Values> = Pick<SettingsPort<Values>, 'get'>;
