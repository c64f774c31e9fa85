import { svelte } from '@sveltejs/vite-plugin-svelte';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'electron-vite';

/** Everything is bundled; only Electron itself stays outside, so that the packaged app needs no node_modules. */
export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      externalizeDeps: false,
      rollupOptions: { input: 'main/index.ts', external: ['electron'] },
    },
  },
  preload: {
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
    plugins: [tailwindcss(), svelte()],
    build: {
      outDir: 'out/renderer',
      // CSP allows no data: fonts or scripts.
      assetsInlineLimit: 0,
      rollupOptions: { input: 'renderer/index.html' },
    },
  },
});
