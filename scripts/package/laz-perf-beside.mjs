import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Copies laz-perf’s wasm next to the code that loads it, because packages have no node_modules.
 * @type {import('vite').Plugin}
 */
export const lazPerfBeside = {
  name: 'laz-perf-beside',
  apply: 'build',
  transform(_, id) {
    if (!id.endsWith('/headers/laz-perf-file.ts')) return null;
    const source = readFileSync(createRequire(import.meta.url).resolve('laz-perf/lib/node/laz-perf.wasm'));
    this.emitFile({ type: 'asset', fileName: 'laz-perf.wasm', source });
    // Shared chunks are in a subfolder.
    const place = "(import.meta.url.includes('/chunks/') ? '..' : '.') + '/laz-perf.wasm'";
    return { code: `export const lazPerfFile = new URL(${place}, import.meta.url);`, map: null };
  },
};
