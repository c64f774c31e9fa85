import { randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import type { BrowserWindow } from 'electron';
import { TileliftError } from '../../errors.ts';
import { Presets } from '../../presets/presets.ts';
import { presetsFileText, readPresetsFile } from '../../presets/presets-file.ts';
import { say } from '../../say.ts';
import type { SettingsStore } from '../../settings.ts';
import type { CallHandlers } from '../bind.ts';
import { chooseToOpen, chooseToSave } from '../dialogs.ts';
import { placedPhrase } from '../views/rule-words.ts';

type PresetCall = 'presets.list' | 'presets.save' | 'presets.remove' | 'presets.export' | 'presets.import';

/** Far more than all presets need. */
const maxBytes = 20_000_000;
const filters = [{ name: 'JSON', extensions: ['json'] }];

/** Handlers for presets, which the settings store and files share. */
export function presetHandlers(parts: {
  readonly settings: SettingsStore;
  readonly window: () => BrowserWindow | undefined;
}): Pick<CallHandlers, PresetCall> {
  const presets = new Presets(parts.settings, randomUUID);
  return {
    'presets.list': async () => presets.list(),
    'presets.save': async (preset) => presets.save(preset),
    'presets.remove': async (id) => presets.remove(id),
    'presets.export': async () => {
      const path = await chooseToSave(parts.window(), {
        title: say('presets.dialog.export'),
        defaultPath: 'tilelift-presets.json',
        filters,
      });
      if (path === null) return null;
      await writeFile(path, presetsFileText(presets.list()));
      return path;
    },
    'presets.import': async () => {
      const title = say('presets.dialog.import');
      const options = { title, message: title, properties: ['openFile' as const], filters };
      const [path] = await chooseToOpen(parts.window(), options);
      if (path === undefined) return null;
      const file = readPresetsFile(await readText(path));
      if (file.kind === 'problems')
        return { kind: 'problems', path, problems: file.problems.map(placedPhrase) };
      return { kind: 'imported', count: file.presets.length, presets: presets.add(file.presets) };
    },
  };
}

async function readText(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > maxBytes) throw new TileliftError('presets-file-unreadable', { subject: path });
  return readFile(path, 'utf8').catch((cause) => {
    throw new TileliftError('presets-file-unreadable', { subject: path, cause });
  });
}
