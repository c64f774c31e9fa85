/**
 * `npm run screenshots [-- --only text] [--language de --language en]`: takes pictures of every state of
 * every screen, light and dark, in two sizes. `npm run pictures`: those of the documents.
 */
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import {
  components,
  openGallery,
  type Size,
  stillScenarios,
  type Theme,
} from '../../test/gallery/gallery.ts';
import { serveGallery } from '../../test/gallery/serve-gallery.ts';

interface Picture {
  /** `screen/state`. */
  readonly name: string;
  readonly language: string;
  readonly theme: Theme;
  readonly size: Size;
  /** Relative to the folder of all pictures. */
  readonly file: string;
}

async function writeContactSheet(folder: string, pictures: readonly Picture[]): Promise<void> {
  const names = [...new Set(pictures.map(({ name }) => name))];
  const sections = names.map((name) => {
    const images = pictures
      .filter((picture) => picture.name === name)
      .map(
        ({ file, language, theme, size }) =>
          `<a href="${file}"><img src="${file}" alt="${language}, ${theme}, ${size.width}×${size.height}" loading="lazy"></a>`,
      );
    return `<h2 id="${name}">${name}</h2>\n<div>${images.join('')}</div>`;
  });
  await writeFile(join(folder, 'index.html'), `${head}\n${sections.join('\n')}\n`);
}

const head = `<!doctype html>
<meta charset="utf-8">
<title>Tilelift, every state of every screen</title>
<style>
  body { margin: 24px; font: 14px/1.5 system-ui, sans-serif; background: #8884 }
  h2 { margin: 24px 0 8px; font-size: 15px }
  div { display: flex; flex-wrap: wrap; gap: 12px; align-items: start }
  img { width: 440px; border-radius: 6px; display: block }
</style>`;

const docsFolder = join(import.meta.dirname, '..', '..', 'docs', 'pictures');

const shown: ReadonlyMap<string, string> = new Map([
  ['uploads/shown-light-1440x900.png', 'uploads.png'],
  ['uploads/details-harbour-dark-1440x900.png', 'upload-details.png'],
  ['watch/sources-light-1440x900.png', 'watched-folders.png'],
  ['new-asset/one-finding-light-900x600.png', 'new-asset.png'],
  ['new-asset/several-kinds-light-900x600.png', 'mixture.png'],
  ['components.png', 'components.png'],
]);

function isShownInDocs(state: string): boolean {
  return [...shown.keys()].some((file) => file.startsWith(`${state}-`) || file === `${state}.png`);
}

const maxDocBytes = 150_000;

/** Saves a picture with a palette for the documents if they use it. `file`: path among all pictures. */
async function keepForDocs(output: string, file: string): Promise<void> {
  const name = shown.get(file);
  if (name === undefined) return;
  await mkdir(docsFolder, { recursive: true });
  const kept = join(docsFolder, name);
  await sharp(join(output, file)).png({ palette: true, effort: 10, compressionLevel: 9 }).toFile(kept);
  const { size } = await stat(kept);
  if (size > maxDocBytes) throw new Error(`${kept} has ${size} bytes, more than ${maxDocBytes}.`);
}

const output = join(import.meta.dirname, '..', '..', 'test-output', 'screenshots');
const sizes: readonly Size[] = [
  { width: 900, height: 600 },
  { width: 1440, height: 900 },
];
const themes: readonly Theme[] = ['light', 'dark'];

const {
  only,
  language: languages,
  documents,
} = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    language: { type: 'string', multiple: true, default: ['en'] },
    documents: { type: 'boolean', default: false },
  },
}).values;
const names = [components, ...stillScenarios].filter(
  (name) => name.includes(only) && (!documents || isShownInDocs(name)),
);
if (names.length === 0) throw new Error(`No state of a screen has “${only}” in its name.`);
if (only === '' && languages.includes('en') && !documents) await rm(output, { recursive: true, force: true });

const failed: string[] = [];
const pictures: Picture[] = [];
const served = await serveGallery(join(import.meta.dirname, '..', '..'));
const gallery = await openGallery(served.address);
try {
  for (const name of names) {
    try {
      if (name === components) await takeComponents();
      else for (const language of languages) pictures.push(...(await take(name, language)));
    } catch (thrown) {
      failed.push(name);
      console.error(`${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
} finally {
  await gallery.close();
  await served.close();
}
await writeContactSheet(output, pictures);
console.log(`${pictures.length} pictures of ${names.length - failed.length} states in ${output}`);
if (failed.length > 0) {
  console.error(`Not taken: ${failed.join(', ')}`);
  process.exitCode = 1;
}

/** A single picture contains both themes. */
async function takeComponents(): Promise<void> {
  const file = `${components}.png`;
  const width = 1320;
  await gallery.show(components, { width, height: 2000 });
  const height = await gallery.page.evaluate(() => document.querySelector('main')?.scrollHeight ?? 0);
  await gallery.show(components, { width, height });
  await mkdir(output, { recursive: true });
  await gallery.page.screenshot({ path: join(output, file), animations: 'disabled' });
  if (documents) await keepForDocs(output, file);
}

async function take(name: string, language: string): Promise<readonly Picture[]> {
  const taken: Picture[] = [];
  for (const size of sizes) {
    await gallery.show(name, size, language);
    for (const theme of themes) {
      await gallery.dress(theme);
      const file = `${name}-${language === 'en' ? '' : `${language}-`}${theme}-${size.width}x${size.height}.png`;
      await mkdir(dirname(join(output, file)), { recursive: true });
      await gallery.page.screenshot({ path: join(output, file), animations: 'disabled' });
      if (documents) await keepForDocs(output, file);
      taken.push({ name, language, theme, size, file });
    }
  }
  return taken;
}
