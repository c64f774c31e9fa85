import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const main = `
const { app, BrowserWindow } = require('electron');
app.whenReady().then(() => {
  new BrowserWindow({ width: 1180, height: 760 }).loadFile('index.html');
});
`;

const pageWith = (entry: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="UTF-8" />
    <title>Bare window</title>
    <script type="module" src="${entry}"></script>
    <script type="module" src="draw.js"></script>
  </head>
  <body></body>
</html>
`;

const draw = `
document.body.innerHTML = '<h1>A bare window</h1><button type="button">A button</button>';
`;

/**
 * Creates a program with one window whose page loads the scripts of our first paint. Ours ends before it
 * draws, because its mount element is missing. `pages`: our built pages.
 */
export async function makeBareWindow(folder: string, pages: string): Promise<void> {
  const [, entry] =
    /<script type="module"[^>]* src="([^"]+)"/.exec(await readFile(join(pages, 'index.html'), 'utf8')) ?? [];
  if (entry === undefined) throw new Error(`no script in the page of ${pages}`);
  await mkdir(folder, { recursive: true });
  await Promise.all([
    cp(join(pages, 'assets'), join(folder, 'assets'), { recursive: true }),
    writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'bare-window', main: 'main.cjs' })),
    writeFile(join(folder, 'main.cjs'), main),
    writeFile(join(folder, 'index.html'), pageWith(entry)),
    writeFile(join(folder, 'draw.js'), draw),
  ]);
}
