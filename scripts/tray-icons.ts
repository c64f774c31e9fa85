/**
 * `node scripts/on-project-node.mjs scripts/tray-icons.ts`: makes the icons of the tray again from `build/tray/tray.svg`, with the system's Chromium. To be run
 * when the drawing changes.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { root } from './setup/packages.mjs';

const folder = join(root, 'build', 'tray');

/** Legible on light and on dark panels alike. */
const colour = '#1f97ae';

/** macOS takes the shape from black and colours it itself. Electron picks the file by the scale in its name. */
const icons = [
  { name: 'macTemplate', size: 18, scales: [1, 2], ink: '#000000' },
  { name: 'windows', size: 16, scales: [1, 1.25, 1.5, 2], ink: colour },
  { name: 'linux', size: 24, scales: [1, 2], ink: colour },
];

const drawing = await readFile(join(folder, 'tray.svg'), 'utf8');
// A root account can't use Chromium's sandbox.
const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: sandbox });
try {
  for (const { name, size, scales, ink } of icons) {
    for (const scale of scales) {
      const side = Math.round(size * scale);
      const page = await browser.newPage({ viewport: { width: side, height: side } });
      await page.setContent(
        `<style>body { margin: 0; color: ${ink} } svg { display: block; width: 100vw; height: 100vh }</style>${drawing}`,
      );
      const suffix = scale === 1 ? '' : `@${scale}x`;
      await writeFile(join(folder, `${name}${suffix}.png`), await page.screenshot({ omitBackground: true }));
      await page.close();
    }
  }
} finally {
  await browser.close();
}
