import { svelte } from '@sveltejs/vite-plugin-svelte';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { towns } from '../scripts/package/towns.mjs';

/** The gallery: `vite -c gallery/vite.config.ts`, or `vite build` and `vite preview` with the same file. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [svelte(), tailwindcss(), towns],
  server: { host: '127.0.0.1', port: 5197, fs: { allow: ['..'] } },
  preview: { host: '127.0.0.1', port: 5198 },
  build: { outDir: '../test-output/gallery', emptyOutDir: true, assetsInlineLimit: 0, target: 'chrome140' },
});
