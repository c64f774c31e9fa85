import { statSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { settingsSchema } from '../../main/settings.ts';
import { settingsInFile } from '../../main/settings-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const file = () => join(folder, 'settings.json');

it('settingsInFile() returns defaults without a file and creates none', async () => {
  expect(settingsInFile(folder).get()).toEqual(settingsSchema.parse({}));
  expect(await readdir(folder)).toEqual([]);
});

it('settingsInFile() stores settings for the owner alone, without other files', async () => {
  settingsInFile(join(folder, 'made')).update({ appearance: 'dark' });
  expect(settingsInFile(join(folder, 'made')).get().appearance).toBe('dark');
  expect(await readdir(join(folder, 'made'))).toEqual(['settings.json']);
  if (process.platform !== 'win32')
    expect(statSync(join(folder, 'made', 'settings.json')).mode & 0o777).toBe(0o600);
});

it('settingsInFile() reads an earlier version’s file with tabs', async () => {
  await writeFile(file(), JSON.stringify({ language: 'de', compactRows: true }, null, '\t'));
  expect(settingsInFile(folder).get()).toMatchObject({ language: 'de', compactRows: true });
});

it('settingsInFile() refuses a damaged file and keeps it', async () => {
  await writeFile(file(), '{"appearance": "dark"');
  expect(() => settingsInFile(folder)).toThrow(SyntaxError);
  expect(await readFile(file(), 'utf8')).toBe('{"appearance": "dark"');
});

it('settingsInFile() sets each damaged file aside and reports it', async () => {
  const reportedKeys: string[] = [];
  for (const text of ['{"appearance": "dark"', '{"language']) {
    await writeFile(file(), text);
    const settings = settingsInFile(folder, (path) => reportedKeys.push(path));
    expect(settings.get()).toEqual(settingsSchema.parse({}));
    settings.update({ compactRows: true });
  }
  expect(reportedKeys).toEqual([`${file()}.damaged-1`, `${file()}.damaged-2`]);
  expect(await readFile(`${file()}.damaged-1`, 'utf8')).toBe('{"appearance": "dark"');
});

it('settingsInFile() keeps fields and values of a later version until changed', async () => {
  const laterSettings = { appearance: 'sepia', language: 'tlh', glow: { level: 3 } };
  await writeFile(file(), JSON.stringify(laterSettings));
  const settings = settingsInFile(folder);
  expect(settings.get()).toMatchObject({ appearance: 'system', language: 'system' });
  settings.update({ compactRows: true });
  expect(JSON.parse(await readFile(file(), 'utf8'))).toMatchObject({ ...laterSettings, compactRows: true });
  settings.update({ appearance: 'dark' });
  expect(JSON.parse(await readFile(file(), 'utf8'))).toMatchObject({ ...laterSettings, appearance: 'dark' });
});

it('settingsInFile() keeps the previous file if the new one can’t be written', async () => {
  settingsInFile(folder).update({ appearance: 'dark' });
  const previous = await readFile(file(), 'utf8');
  // A folder in its place fails like a full disk on any system.
  await mkdir(join(`${file()}.new`, 'in-the-way'), { recursive: true });
  expect(() => settingsInFile(folder).update({ appearance: 'light' })).toThrow();
  expect(await readFile(file(), 'utf8')).toBe(previous);
});

it('settingsInFile() refuses an invalid change and stays unchanged', () => {
  const settings = settingsInFile(folder);
  settings.update({ compactRows: true });
  expect(() => settings.update({ appearance: 'pink' as 'dark' })).toThrow();
  expect(settings.get()).toEqual(settingsInFile(folder).get());
});
