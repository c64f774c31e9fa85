import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { writeWholeSync } from './atomic-file.ts';
import { readSettingsFile, type SettingsStore, settingsSchema } from './settings.ts';

/**
 * Unreadable values get defaults but stay in the file. `onDamaged`: the new path of a file that isn't JSON;
 * default: throws `SyntaxError`.
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
