import Store from 'electron-store';
import { readSettingsFile, type SettingsStore, settingsSchema } from '../settings.ts';

/** Settings in a JSON file of the user-data folder. What can't be read gets its default; the rest is kept. */
export function openSettings(folder: string): SettingsStore {
  const store = new Store<Record<string, unknown>>({
    cwd: folder,
    name: 'settings',
    clearInvalidConfig: true,
    configFileMode: 0o600,
  });
  const file = readSettingsFile(store.store);
  let { settings } = file;
  return {
    get: () => settings,
    update: (change) => {
      settings = settingsSchema.parse({ ...settings, ...change });
      store.store = { ...file.contentOf(settings) };
    },
  };
}
