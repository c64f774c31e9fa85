/**
 * `node scripts/on-project-node.mjs tools/icons/tray-icons.ts`: renders the tray icons from
 * `build/tray/tray.svg` with the system's Chromium. Run it after the drawing changes.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../scripts/setup/packages.mjs';
import { withDrawings } from './drawings.ts';

const folder = join(root, 'build', 'tray');

/** Legible on light and dark panels. */
const colour = '#1f97ae';

/** macOS colours the black shape. Electron picks the file by the scale in its name. */
const icons = [
  { name: 'macTemplate', size: 18, scales: [1, 2], ink: '#000000' },
  { name: 'windows', size: 16, scales: [1, 1.25, 1.5, 2], ink: colour },
  { name: 'linux', size: 24, scales: [1, 2], ink: colour },
];

const drawing = await readFile(join(folder, 'tray.svg'), 'utf8');
await withDrawings(async (draw) => {
  for (const { name, size, scales, ink } of icons) {
    for (const scale of scales) {
      const suffix = scale === 1 ? '' : `@${scale}x`;
      const png = await draw(drawing, Math.round(size * scale), ink);
      await writeFile(join(folder, `${name}${suffix}.png`), png);
    }
  }
});
