import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { makeBareWindow } from '../../../tools/bench/launch/bare-window.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  await mkdir(join(folder, 'pages', 'assets'), { recursive: true });
});

it('a bare window loads the page’s script as a module with its imports', async () => {
  const scripts = { 'main-1.js': 'import "./part-2.js";', 'part-2.js': 'export const part = 2;' };
  for (const [name, text] of Object.entries(scripts))
    await writeFile(join(folder, 'pages', 'assets', name), text);
  const page = '<script type="module" crossorigin src="./assets/main-1.js"></script>';
  await writeFile(join(folder, 'pages', 'index.html'), page);
  const bare = join(folder, 'bare');
  await makeBareWindow(bare, join(folder, 'pages'));
  const html = await readFile(join(bare, 'index.html'), 'utf8');
  const loaded = [...html.matchAll(/<script type="module" src="([^"]+)">/g)].map(([, source]) => source);
  // Modules run in page order, the drawing one last.
  expect(loaded).toEqual(['./assets/main-1.js', 'draw.js']);
  for (const [name, text] of Object.entries(scripts))
    expect(await readFile(join(bare, 'assets', name), 'utf8')).toBe(text);
});

it('a page without a script is rejected', async () => {
  await writeFile(join(folder, 'pages', 'index.html'), '<p>nothing</p>');
  await expect(makeBareWindow(join(folder, 'bare'), join(folder, 'pages'))).rejects.toThrow('no script');
});
