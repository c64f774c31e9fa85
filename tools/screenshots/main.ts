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

const shownPages: ReadonlyMap<string, string> = new Map([
  ['uploads/shown-light-1440x900.png', 'uploads.png'],
  ['uploads/details-harbour-dark-1440x900.png', 'upload-details.png'],
  ['watch/sources-light-1440x900.png', 'watched-folders.png'],
  ['new-asset/one-finding-light-900x600.png', 'new-asset.png'],
  ['new-asset/several-kinds-light-900x600.png', 'mixture.png'],
  ['components.png', 'components.png'],
]);

function isShownInDocs(state: string): boolean {
  return [...shownPages.keys()].some((file) => file.startsWith(`${state}-`) || file === `${state}.png`);
}

const maxDocBytes = 150_000;

/** Saves a picture with a palette for the documents if they use it. `file`: path among all pictures. */
async function keepForDocs(output: string, file: string): Promise<void> {
  const name = shownPages.get(file);
  if (name === undefined) return;
  await mkdir(docsFolder, { recursive: true });
  const keptFile = join(docsFolder, name);
  await sharp(join(output, file)).png({ palette: true, effort: 10, compressionLevel: 9 }).toFile(keptFile);
  const { size } = await stat(keptFile);
  if (size > maxDocBytes) throw new Error(`${keptFile} has ${size} bytes, more than ${maxDocBytes}.`);
}

const output = join(import.meta.dirname, '..', '..', 'test-output', 'screenshots');
const sizes: readonly Size[] = [
  { width: 900, height: 600 },
  { width: 1440, height: 900 },
];
const themes: readonly Theme[] = ['light', 'dark'];

const {
  only: onlyText,
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
  (name) => name.includes(onlyText) && (!documents || isShownInDocs(name)),
);
if (names.length === 0) throw new Error(`No state of a screen has “${onlyText}” in its name.`);
if (onlyText === '' && languages.includes('en') && !documents)
  await rm(output, { recursive: true, force: true });

const failedNames: string[] = [];
const pictures: Picture[] = [];
const served = await serveGallery(join(import.meta.dirname, '..', '..'));
const gallery = await openGallery(served.address);
try {
  for (const name of names) {
    try {
      if (name === components) await takeComponents();
      else for (const language of languages) pictures.push(...(await takePictures(name, language)));
    } catch (error) {
      failedNames.push(name);
      console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
} finally {
  await gallery.close();
  await served.close();
}
await writeContactSheet(output, pictures);
console.log(`${pictures.length} pictures of ${names.length - failedNames.length} states in ${output}`);
if (failedNames.length > 0) {
  console.error(`Not taken: ${failedNames.join(', ')}`);
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

async function takePictures(name: string, language: string): Promise<readonly Picture[]> {
  const takenPictures: Picture[] = [];
  for (const size of sizes) {
    await gallery.show(name, size, language);
    for (const theme of themes) {
      await gallery.dress(theme);
      const file = `${name}-${language === 'en' ? '' : `${language}-`}${theme}-${size.width}x${size.height}.png`;
      await mkdir(dirname(join(output, file)), { recursive: true });
      await gallery.page.screenshot({ path: join(output, file), animations: 'disabled' });
      if (documents) await keepForDocs(output, file);
      takenPictures.push({ name, language, theme, size, file });
    }
  }
  return takenPictures;
}
