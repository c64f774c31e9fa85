import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The least that Electron needs for a window. */
const main = `
const { app, BrowserWindow } = require('electron');
app.whenReady().then(() => {
  new BrowserWindow({ width: 1180, height: 760 }).loadFile('index.html');
});
`;

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="UTF-8" />
    <title>Bare window</title>
    <script defer src="bundle.js"></script>
    <script defer src="draw.js"></script>
  </head>
  <body></body>
</html>
`;

const draw = `
document.body.innerHTML = '<h1>A bare window</h1><button type="button">A button</button>';
`;

/**
 * A program of one window whose page loads a bundle of the size of ours before it draws anything: ours
 * itself, which without a place for it ends where it would begin to draw. `pages`: the folder of our built
 * pages.
 */
export async function makeBareWindow(folder: string, pages: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const assets = join(pages, 'assets');
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const bundle = await Promise.all(scripts.map((name) => readFile(join(assets, name), 'utf8')));
  await Promise.all([
    writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'bare-window', main: 'main.cjs' })),
    writeFile(join(folder, 'main.cjs'), main),
    writeFile(join(folder, 'index.html'), page),
    writeFile(join(folder, 'bundle.js'), `(() => {\n'use strict';\n${bundle.join('\n')}\n})();\n`),
    writeFile(join(folder, 'draw.js'), draw),
  ]);
}
