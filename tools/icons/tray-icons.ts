/**
 * `node scripts/on-project-node.mjs tools/icons/tray-icons.ts`: makes the icons of the tray again from
 * `build/tray/tray.svg`, with the system's Chromium. To be run when the drawing changes.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../scripts/setup/packages.mjs';
import { withDrawings } from './drawings.ts';

const folder = join(root, 'build', 'tray');

/** Legible on light and on dark panels alike. */
const colour = '#1f97ae';

/** macOS takes the shape from black and colours it. Electron picks the file by the scale in its name. */
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
