import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { lazPerfBeside } from '../package/laz-perf-beside.mjs';
import { root } from '../setup/packages.mjs';

/** What runs of the command `tilelift`, bundled: no sources, nothing of node_modules. */
export const bundleFolder = join(root, 'out', 'cli');

/** The oldest Node that it runs on. */
export const oldestNode = 24;

/**
 * Bundles the command and its workers (docs/decisions/003-everything-bundled.md) into `out/cli`: what is
 * loaded when it is needed stays a file of its own, so that a short command reads little.
 */
export async function bundleCommand() {
  rmSync(bundleFolder, { recursive: true, force: true });
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [lazPerfBeside],
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      ssrEmitAssets: true,
      outDir: bundleFolder,
      target: `node${oldestNode}`,
      // Names stay: traces are read in logs.
      minify: false,
      rollupOptions: {
        input: {
          tilelift: 'main/cli/main.ts',
          'scan-worker': 'main/workers/scan-worker.ts',
          'upload-worker': 'main/workers/upload-worker.ts',
        },
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
}
