import Store from 'electron-store';
import { type Settings, type SettingsStore, settingsSchema } from '../settings.ts';

/** Settings in a JSON file of the user-data folder. What can't be read in it gets its default; the rest is kept. */
export function openSettings(folder: string): SettingsStore {
  const store = new Store<Settings>({
    cwd: folder,
    name: 'settings',
    clearInvalidConfig: true,
    configFileMode: 0o600,
  });
  let settings = readSettings(store.store);
  return {
    get: () => settings,
    update: (change) => {
      settings = settingsSchema.parse({ ...settings, ...change });
      store.store = settings;
    },
  };
}

function readSettings(stored: unknown): Settings {
  const whole = settingsSchema.safeParse(stored);
  if (whole.success) return whole.data;
  const good: Record<string, unknown> = {};
  const given = typeof stored === 'object' && stored !== null ? stored : {};
  for (const [key, schema] of Object.entries(settingsSchema.shape)) {
    const one = schema.safeParse((given as Record<string, unknown>)[key]);
    if (one.success) good[key] = one.data;
  }
  return settingsSchema.parse(good);
}
