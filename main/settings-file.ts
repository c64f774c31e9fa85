import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettingsFile, type SettingsStore, settingsSchema } from './settings.ts';
import { writeWholeSync } from './whole-file.ts';

/**
 * Settings in `settings.json` of the folder, as desktop and command keep them. What can't be read of it gets
 * its default; the rest is kept. `parse`: what reads the JSON, and decides about a file that is none.
 * Default: throws `SyntaxError`.
 */
export function settingsInFile(folder: string, parse: (text: string) => unknown = JSON.parse): SettingsStore {
  const path = join(folder, 'settings.json');
  const file = readSettingsFile(existsSync(path) ? parse(readFileSync(path, 'utf8')) : {});
  let { settings } = file;
  return {
    get: () => settings,
    update: (change) => {
      settings = settingsSchema.parse({ ...settings, ...change });
      writeWholeSync(path, `${JSON.stringify(file.contentOf(settings), null, 2)}\n`, `${path}.new`, 0o600);
    },
  };
}
