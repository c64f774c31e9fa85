import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { beforeEach, expect, it } from 'vitest';
import { noticesFile } from '../../../main/notices-file.ts';
import { listBundled } from '../../../scripts/package/bundled-packages.mjs';
import { packageOf } from '../../../scripts/package/notices.mjs';
import { temporaryFolder } from '../../temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..', '..');

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** The list of a bundle with this program. */
async function listedNotices(program: string): Promise<readonly string[]> {
  const id = '\0program.js';
  await build({
    ...{ root, configFile: false, logLevel: 'silent' },
    plugins: [
      {
        name: 'program',
        resolveId: (source) => (source === 'program' ? id : null),
        load: (programId) => (programId === id ? program : null),
      },
      listBundled('trial'),
    ],
    build: { outDir: join(folder, 'trial'), rollupOptions: { input: 'program' }, assetsInlineLimit: 0 },
  });
  return JSON.parse(readFileSync(join(folder, 'bundled', 'trial.json'), 'utf8'));
}

it('the list of a bundle contains imported packages and no others', async () => {
  const modules = await listedNotices("import ms from 'ms'; console.log(ms(1000));");
  expect(modules.map(packageOf)).toEqual(['node_modules/ms']);
});

it('the list of a bundle contains fonts that only a style sheet names', async () => {
  const modules = await listedNotices("import '@fontsource-variable/inter';");
  expect(modules.filter((file) => file.endsWith('.woff2')).map(packageOf)).toContain(
    'node_modules/@fontsource-variable/inter',
  );
});

it.each([
  ['node_modules/zod/v4/core/util.js', 'node_modules/zod'],
  ['node_modules/@smithy/core/dist-es/index.js', 'node_modules/@smithy/core'],
  [
    'node_modules/electron-updater/node_modules/semver/index.js',
    'node_modules/electron-updater/node_modules/semver',
  ],
])('%s belongs to %s', (file, expected) => {
  expect(packageOf(file)).toBe(expected);
});

it('noticesFile() finds no notices outside a package', () => {
  expect(() => noticesFile(join(folder, 'a', 'b', 'c', 'd', 'e'))).toThrow('THIRD-PARTY-NOTICES.txt');
  expect(existsSync(join(root, 'THIRD-PARTY-NOTICES.txt'))).toBe(false);
});
