import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../setup/packages.mjs';

/** One list per bundle: notices and bill of materials are made from them. */
export const bundleLists = join(root, 'out', 'bundled');

const packages = 'node_modules/';

/** Tailwind inlines its style sheet, which leaves only this comment. */
const banner = /\/\*! (\S+) v[\d.]+ \| /g;

/**
 * Writes the files of packages that a bundle contains to `out/bundled/NAME.json`.
 * @param {string} name of the bundle
 * @returns {import('vite').Plugin}
 */
export function listBundled(name) {
  return {
    name: 'list-bundled',
    apply: 'build',
    generateBundle({ dir = '' }, bundle) {
      const files = Object.values(bundle)
        .flatMap((output) => (output.type === 'chunk' ? output.moduleIds : filesOf(output)))
        .map((file) => file.replace(/^\0/, '').replace(/\?.*$/, '').replaceAll('\\', '/'))
        .flatMap((file) => (file.includes(packages) ? file.slice(file.indexOf(packages)) : []));
      // electron-vite copies this code into its own file, so that our path says nothing.
      const folder = join(dir, '..', basename(bundleLists));
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${name}.json`), `${JSON.stringify([...new Set(files)].sort(), null, 1)}\n`);
    },
  };
}

/** @param {{ fileName: string, source: string | Uint8Array, originalFileNames: string[] }} asset */
function filesOf({ fileName, source, originalFileNames }) {
  const sheets = fileName.endsWith('.css') ? [...String(source).matchAll(banner)] : [];
  return [...originalFileNames, ...sheets.map(([, name]) => `${packages}${name}/index.css`)];
}
