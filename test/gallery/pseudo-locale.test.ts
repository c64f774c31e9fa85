import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gallery, openGallery, type Size, stillScenarios } from './gallery.ts';
import { pseudo, pseudoTag } from './pseudo-locale.ts';
import { withThirdLanguage } from './third-language.ts';

const smallest: Size = { width: 900, height: 600 };

let copy: Awaited<ReturnType<typeof withThirdLanguage>>;
let gallery: Gallery;
beforeAll(async () => {
  copy = await withThirdLanguage();
  gallery = await openGallery(copy.root);
}, 180_000);
afterAll(async () => {
  await gallery?.close();
  await copy?.[Symbol.asyncDispose]();
});

describe('a language that is one file more', () => {
  it('is offered in Settings', async () => {
    await gallery.show('settings/languages', smallest);
    await expect(gallery.page.getByRole('option', { name: '⟦Þšéûðö⟧' }).count()).resolves.toBe(1);
  });

  it('is spoken by the main process, in plain Node and bundled', async () => {
    const script = (module: string) =>
      `const { catalogues, say, speak } = await import(${JSON.stringify(pathToFileURL(module).href)});
       speak({ language: ${JSON.stringify(pseudoTag)}, locale: 'en' });
       console.log(JSON.stringify({ languages: [...catalogues.keys()].sort(), cancel: say('general.cancel') }));`;
    const source = join(copy.root, 'main', 'say.ts');
    await build({
      configFile: false,
      root: copy.root,
      logLevel: 'error',
      build: { ssr: source, outDir: 'bundled' },
    });
    for (const module of [source, join(copy.root, 'bundled', 'say.js')]) {
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--input-type=module',
        '--eval',
        script(module),
      ]);
      expect(JSON.parse(stdout)).toEqual({ languages: ['de', 'en', pseudoTag], cancel: pseudo('Cancel') });
    }
  });
});

describe('the look through a page', () => {
  beforeAll(() => gallery.show('settings/usual', smallest, pseudoTag));

  it.each([
    ['text', `document.querySelector('h1').append(' Choose a folder')`, 'h1: Choose a folder'],
    ['one word', `document.querySelector('h1').append(' Settings')`, 'h1: Settings'],
    [
      'text beside data',
      `document.querySelector('h1').append(' EPSG:25832 of dgm.tif')`,
      'h1: EPSG:25832 of dgm.tif',
    ],
    ['a name', `document.querySelector('button').setAttribute('aria-label', 'Close')`, 'aria-label: Close'],
    [
      'a placeholder',
      `document.querySelector('h1').setAttribute('placeholder', 'Search files')`,
      'placeholder: Search files',
    ],
  ])('finds English that is not in the catalogue: %s', async (_what, plant, found) => {
    await gallery.page.evaluate(plant);
    expect(await gallery.page.evaluate('unsaid()')).toContain(found);
  });

  it('finds words that are cut off', async () => {
    await gallery.page.evaluate(
      `Object.assign(document.querySelector('h1').style, { width: '20px', whiteSpace: 'nowrap' })`,
    );
    expect(await gallery.page.evaluate('cutOff()')).toContainEqual(expect.stringContaining(' in 20×'));
  });
});

describe.each(stillScenarios)('in the pseudo-locale, %s', (name) => {
  it('says nothing that is not in the catalogue, and has room for words that are a third longer', async () => {
    await gallery.show(name, smallest, pseudoTag);
    expect(await gallery.page.evaluate('unsaid()')).toEqual([]);
    expect(await gallery.page.evaluate('[...cutOff(), ...scrollsSideways()]')).toEqual([]);
  });
});
