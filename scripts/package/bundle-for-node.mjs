import { rmSync } from 'node:fs';
import { build } from 'vite';
import { root } from '../setup/packages.mjs';
import { listBundled } from './bundled-packages.mjs';
import { lazPerfBeside } from './laz-perf-beside.mjs';

export const oldestNode = 24;

/**
 * Bundles programs for plain Node without node_modules (docs/decisions/003-everything-bundled.md). Dynamic
 * imports stay separate files, so that a short run reads little.
 *
 * @param {Readonly<Record<string, string>>} programs sources relative to the root, by program name
 * @param {string} folder emptied first
 * @param {string} [name] of a bundle that ships, for `listBundled`
 */
export async function bundleForNode(programs, folder, name) {
  rmSync(folder, { recursive: true, force: true });
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [lazPerfBeside, ...(name === undefined ? [] : [listBundled(name)])],
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      ssrEmitAssets: true,
      outDir: folder,
      target: `node${oldestNode}`,
      // Keeps names for stack traces in logs.
      minify: false,
      rollupOptions: {
        input: programs,
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
}
