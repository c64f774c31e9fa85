import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettingsFile, type SettingsStore, settingsSchema } from '../settings.ts';
import { writeWholeSync } from '../whole-file.ts';

/** Settings in `settings.json` of the folder, as the desktop keeps its own. Throws where it is no JSON. */
export function settingsInFile(folder: string): SettingsStore {
  const path = join(folder, 'settings.json');
  const file = readSettingsFile(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {});
  let { settings } = file;
  return {
    get: () => settings,
    update: (change) => {
      settings = settingsSchema.parse({ ...settings, ...change });
      writeWholeSync(path, `${JSON.stringify(file.contentOf(settings), null, 2)}\n`, `${path}.new`, 0o600);
    },
  };
}
