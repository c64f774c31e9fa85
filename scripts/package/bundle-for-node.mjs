import { rmSync } from 'node:fs';
import { build } from 'vite';
import { root } from '../setup/packages.mjs';
import { lazPerfBeside } from './laz-perf-beside.mjs';

/** The oldest Node that a bundle runs on. */
export const oldestNode = 24;

/**
 * Bundles programs for plain Node, with nothing of node_modules beside them
 * (docs/decisions/003-everything-bundled.md). What is loaded when it is needed stays a file of its own, so
 * that a short run reads little.
 *
 * @param {Readonly<Record<string, string>>} programs their sources, from the root, by the names that they get
 * @param {string} folder emptied first
 */
export async function bundleForNode(programs, folder) {
  rmSync(folder, { recursive: true, force: true });
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [lazPerfBeside],
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      ssrEmitAssets: true,
      outDir: folder,
      target: `node${oldestNode}`,
      // Names stay: traces are read in logs.
      minify: false,
      rollupOptions: {
        input: programs,
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
}
