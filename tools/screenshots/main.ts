/** Takes a picture of every state of every screen, light and dark, in two sizes. `npm run screenshots [-- --only text] [--language de]`. */
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  components,
  openGallery,
  type Size,
  stillScenarios,
  type Theme,
} from '../../test/gallery/gallery.ts';
import { type Picture, writeContactSheet } from './contact-sheet.ts';
import { keepForDocs } from './for-docs.ts';

const output = join(import.meta.dirname, '..', '..', 'test-output', 'screenshots');
const sizes: readonly Size[] = [
  { width: 900, height: 600 },
  { width: 1440, height: 900 },
];
const themes: readonly Theme[] = ['light', 'dark'];

const { only, language: wanted } = parseArgs({
  options: { only: { type: 'string', default: '' }, language: { type: 'string', default: 'en' } },
}).values;
const language = wanted === 'de' ? 'de' : 'en';
const names = [components, ...stillScenarios].filter((name) => name.includes(only));
if (names.length === 0) throw new Error(`No state of a screen has “${only}” in its name.`);
if (only === '' && language === 'en') await rm(output, { recursive: true, force: true });

const failed: string[] = [];
const pictures: Picture[] = [];
const gallery = await openGallery();
try {
  for (const name of names) {
    try {
      if (name === components) await takeComponents();
      else pictures.push(...(await take(name)));
    } catch (thrown) {
      failed.push(name);
      console.error(`${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
} finally {
  await gallery.close();
}
await writeContactSheet(output, pictures);
console.log(`${pictures.length} pictures of ${names.length - failed.length} states in ${output}`);
if (failed.length > 0) {
  console.error(`Not taken: ${failed.join(', ')}`);
  process.exitCode = 1;
}

/** One picture: both themes are in it. */
async function takeComponents(): Promise<void> {
  const file = `${components}.png`;
  await gallery.show(components, { width: 1320, height: 2390 });
  await mkdir(output, { recursive: true });
  await gallery.page.screenshot({ path: join(output, file), animations: 'disabled' });
  await keepForDocs(output, file);
}

async function take(name: string): Promise<readonly Picture[]> {
  const taken: Picture[] = [];
  for (const size of sizes) {
    await gallery.show(name, size, language);
    for (const theme of themes) {
      await gallery.dress(theme);
      const file = `${name}-${language === 'en' ? '' : `${language}-`}${theme}-${size.width}x${size.height}.png`;
      await mkdir(dirname(join(output, file)), { recursive: true });
      await gallery.page.screenshot({ path: join(output, file), animations: 'disabled' });
      if (language === 'en') await keepForDocs(output, file);
      taken.push({ name, theme, size, file });
    }
  }
  return taken;
}
