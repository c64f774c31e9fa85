import { statSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseJson } from '../../main/service/answer.ts';
import { settingsSchema } from '../../main/settings.ts';
import { settingsInFile } from '../../main/settings-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilelift-settings-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const file = () => join(folder, 'settings.json');

describe('settings in a file', () => {
  it('are the defaults where there is none, which alone makes none', async () => {
    expect(settingsInFile(folder).get()).toEqual(settingsSchema.parse({}));
    expect(await readdir(folder)).toEqual([]);
  });

  it('are kept from one start to the next, for their owner alone, with nothing left beside', async () => {
    settingsInFile(join(folder, 'made')).update({ appearance: 'dark' });
    expect(settingsInFile(join(folder, 'made')).get().appearance).toBe('dark');
    expect(await readdir(join(folder, 'made'))).toEqual(['settings.json']);
    if (process.platform !== 'win32')
      expect(statSync(join(folder, 'made', 'settings.json')).mode & 0o777).toBe(0o600);
  });

  it('are those that an earlier version wrote with tabs', async () => {
    await writeFile(file(), JSON.stringify({ language: 'de', compactRows: true }, null, '\t'));
    expect(settingsInFile(folder).get()).toMatchObject({ language: 'de', compactRows: true });
  });

  it('refuse a damaged file, unless whoever opens it can do without', async () => {
    await writeFile(file(), '{"appearance": "dark"');
    expect(() => settingsInFile(folder)).toThrow(SyntaxError);
    expect(await readFile(file(), 'utf8')).toBe('{"appearance": "dark"');
    expect(settingsInFile(folder, parseJson).get()).toEqual(settingsSchema.parse({}));
  });

  it('refuse a change that is none, and stay as they were', () => {
    const settings = settingsInFile(folder);
    settings.update({ compactRows: true });
    expect(() => settings.update({ appearance: 'pink' as 'dark' })).toThrow();
    expect(settings.get()).toEqual(settingsInFile(folder).get());
  });
});
