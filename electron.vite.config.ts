import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'electron-vite';
import { listBundled } from './scripts/package/bundled-packages.mjs';
import { globePage } from './scripts/package/globe-page.mjs';
import { lazPerfBeside } from './scripts/package/laz-perf-beside.mjs';
import { towns } from './scripts/package/towns.mjs';

/** Where `npm run dev` serves the pages; the app fetches them through its own scheme. */
const devServer = { host: '127.0.0.1', port: 5199 };

/** Everything is bundled; only Electron stays outside, so the packaged app needs no node_modules. */
export default defineConfig({
  main: {
    plugins: [lazPerfBeside, listBundled('main')],
    build: {
      outDir: 'out/main',
      externalizeDeps: false,
      rollupOptions: {
        // Worker threads run files of their own; beside them lies the command, which starts them too.
        input: {
          index: 'main/index.ts',
          command: 'main/command.ts',
          'scan-worker': 'main/workers/scan-worker.ts',
          'upload-worker': 'main/workers/upload-worker.ts',
        },
        external: ['electron'],
      },
    },
  },
  preload: {
    plugins: [listBundled('preload')],
    build: {
      outDir: 'out/preload',
      externalizeDeps: false,
      rollupOptions: {
        input: 'preload/index.ts',
        external: ['electron'],
        // A sandboxed preload can only be CommonJS.
        output: { format: 'cjs', entryFileNames: 'index.cjs' },
      },
    },
  },
  renderer: {
    root: 'renderer',
    plugins: [tailwindcss(), svelte(), towns, listBundled('renderer'), globePage],
    server: { ...devServer, strictPort: true, hmr: { protocol: 'ws', ...devServer } },
    build: {
      outDir: 'out/renderer',
      // Half the bytes to read at each start. Main stays as it is: its traces are read in logs.
      minify: true,
      // The content security policy allows no data: fonts or scripts.
      assetsInlineLimit: 0,
      // Whole, so that the development server finds it too and prepares what it imports before the window
      // asks.
      rollupOptions: { input: join(import.meta.dirname, 'renderer', 'index.html') },
    },
  },
});
