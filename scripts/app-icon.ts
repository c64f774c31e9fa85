/**
 * `node scripts/on-project-node.mjs scripts/app-icon.ts`: makes the application's icons again from `build/icon.svg`, with the system's Chromium. To be run when the
 * drawing changes.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withDrawings } from './drawings.ts';
import { root } from './setup/packages.mjs';

const folder = join(root, 'build');
const sides = [16, 24, 32, 48, 64, 96, 128, 256, 512, 1024];

/** The drawing keeps the free edge that macOS wants around its icons; elsewhere icons fill their square. */
const filled = 'viewBox="84 84 856 856"';

const drawing = await readFile(join(folder, 'icon.svg'), 'utf8');
const edgeless = drawing.replace(/viewBox="[^"]*"/, filled);
await mkdir(join(folder, 'icons'), { recursive: true });
await withDrawings(async (draw) => {
  await writeFile(join(folder, 'icon.png'), await draw(drawing, 1024));
  for (const side of sides)
    await writeFile(join(folder, 'icons', `${side}x${side}.png`), await draw(edgeless, side));
});
