import { statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

  it('refuses a damaged file and leaves it alone', async () => {
    await writeFile(file(), '{"appearance": "dark"');
    expect(() => settingsInFile(folder)).toThrow(SyntaxError);
    expect(await readFile(file(), 'utf8')).toBe('{"appearance": "dark"');
  });

  it('keeps each damaged file under a name of its own and reports it', async () => {
    const reported: string[] = [];
    for (const text of ['{"appearance": "dark"', '{"language']) {
      await writeFile(file(), text);
      const settings = settingsInFile(folder, (path) => reported.push(path));
      expect(settings.get()).toEqual(settingsSchema.parse({}));
      settings.update({ compactRows: true });
    }
    expect(reported).toEqual([`${file()}.damaged-1`, `${file()}.damaged-2`]);
    expect(await readFile(`${file()}.damaged-1`, 'utf8')).toBe('{"appearance": "dark"');
  });

  it('keeps fields and values of a later version until someone changes them', async () => {
    const later = { appearance: 'sepia', language: 'tlh', glow: { level: 3 } };
    await writeFile(file(), JSON.stringify(later));
    const settings = settingsInFile(folder);
    expect(settings.get()).toMatchObject({ appearance: 'system', language: 'system' });
    settings.update({ compactRows: true });
    expect(JSON.parse(await readFile(file(), 'utf8'))).toMatchObject({ ...later, compactRows: true });
    settings.update({ appearance: 'dark' });
    expect(JSON.parse(await readFile(file(), 'utf8'))).toMatchObject({ ...later, appearance: 'dark' });
  });

  it('keeps the previous file whole when the new one can’t be written', async () => {
    settingsInFile(folder).update({ appearance: 'dark' });
    const previous = await readFile(file(), 'utf8');
    // Its place is taken by a folder that isn't empty, as good as a full disk on any system.
    await mkdir(join(`${file()}.new`, 'in-the-way'), { recursive: true });
    expect(() => settingsInFile(folder).update({ appearance: 'light' })).toThrow();
    expect(await readFile(file(), 'utf8')).toBe(previous);
  });

  it('refuse a change that is none, and stay as they were', () => {
    const settings = settingsInFile(folder);
    settings.update({ compactRows: true });
    expect(() => settings.update({ appearance: 'pink' as 'dark' })).toThrow();
    expect(settings.get()).toEqual(settingsInFile(folder).get());
  });
});
