import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { readSettingsFile, type SettingsStore, settingsSchema } from './settings.ts';
import { writeWholeSync } from './whole-file.ts';

/**
 * Settings in `settings.json` of the folder, as desktop and command keep them. What can't be read of it gets
 * its default and stays in the file; the rest is kept. `onDamaged`: called with the path at which a file that
 * is no JSON is kept from now on. Default: throws `SyntaxError`.
 */
export function settingsInFile(folder: string, onDamaged?: (path: string) => void): SettingsStore {
  const path = join(folder, 'settings.json');
  const file = readSettingsFile(existsSync(path) ? readJson(path, onDamaged) : {});
  let { settings } = file;
  return {
    get: () => settings,
    update: (change) => {
      settings = settingsSchema.parse({ ...settings, ...change });
      writeWholeSync(path, `${JSON.stringify(file.contentOf(settings), null, 2)}\n`, `${path}.new`, 0o600);
    },
  };
}

function readJson(path: string, onDamaged?: (path: string) => void): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (!onDamaged || !(error instanceof SyntaxError)) throw error;
    let number = 1;
    while (existsSync(`${path}.damaged-${number}`)) number += 1;
    renameSync(path, `${path}.damaged-${number}`);
    onDamaged(`${path}.damaged-${number}`);
    return {};
  }
}
