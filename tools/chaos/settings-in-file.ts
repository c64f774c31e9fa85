import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SettingsStore, settingsSchema } from '../../main/settings.ts';

/** Settings that outlive a kill: written beside, then moved over. */
export function settingsInFile(folder: string): SettingsStore {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'settings.json');
  let settings = settingsSchema.parse(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});
  return {
    get: () => settings,
    update: (change) => {
      settings = settingsSchema.parse({ ...settings, ...change });
      writeFileSync(`${file}.new`, JSON.stringify(settings));
      renameSync(`${file}.new`, file);
    },
  };
}
