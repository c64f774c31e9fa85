import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import { describe, expect, inject, it } from 'vitest';
import german from '../../strings/de.json' with { type: 'json' };
import english from '../../strings/en.json' with { type: 'json' };
import { openGallery } from './gallery.ts';
import { pseudoCatalogue, pseudoTag } from './pseudo-locale.ts';

const { address, root } = inject('gallery');

describe('language added as a file', () => {
  it('offers an added language in Settings', async () => {
    const gallery = await openGallery(address);
    try {
      await gallery.show('settings/languages', { width: 900, height: 600 });
      await expect(gallery.page.getByRole('option', { name: '⟦Þšéûðö⟧' }).count()).resolves.toBe(1);
    } finally {
      await gallery.close();
    }
  });

  it('uses an added language in the main process, in plain Node and bundled', async () => {
    const script = (module: string) =>
      `const { catalogues, say, speak } = await import(${JSON.stringify(pathToFileURL(module).href)});
       speak({ language: ${JSON.stringify(pseudoTag)}, locale: 'en' });
       console.log(JSON.stringify({ languages: [...catalogues.keys()].sort(), cancel: say('general.cancel') }));`;
    const cancel = Object(pseudoCatalogue(english, [german]).general).cancel;
    const source = join(root, 'main', 'say.ts');
    await build({ configFile: false, root, logLevel: 'error', build: { ssr: source, outDir: 'bundled' } });
    for (const module of [source, join(root, 'bundled', 'say.js')]) {
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--input-type=module',
        '--eval',
        script(module),
      ]);
      expect(JSON.parse(stdout)).toEqual({ languages: ['de', 'en', pseudoTag], cancel });
    }
  });
});
