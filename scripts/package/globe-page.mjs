import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { listBundled } from './bundled-packages.mjs';

const engine = 'node_modules/@cesium/engine';

/** Cesium loads these by address: workers, decoders, and the pictures of the bare globe. */
const files = {
  Build: ['Workers/**/*.js'],
  Source: [
    'ThirdParty/{draco_decoder,basis_transcoder}.wasm',
    'Assets/approximateTerrainHeights.json',
    'Assets/IAU2006_XYS/*.json',
    'Assets/Textures/pin.svg',
    'Assets/Textures/NaturalEarthII/**/*.*',
  ],
};

/** The files as assets of the bundle. @param {string} root the project @returns {import('vite').Plugin} */
const cesiumFiles = (root) => ({
  name: 'cesium-files',
  buildStart() {
    for (const [folder, patterns] of Object.entries(files))
      for (const path of globSync(patterns, { cwd: join(root, engine, folder) })) {
        const file = path.replaceAll('\\', '/');
        this.emitFile({
          type: 'asset',
          fileName: `cesium/${file}`,
          originalFileName: `${engine}/${folder}/${file}`,
          source: readFileSync(join(root, engine, folder, path)),
        });
      }
  },
});

/** The folder of the pages' source. */
let pages = '';

/**
 * Builds the page of the globe into `out/globe`. A build of its own, because pages of one build share chunks,
 * which the main page would then load at launch.
 * @type {import('vite').Plugin}
 */
export const globePage = {
  name: 'globe-page',
  apply: 'build',
  configResolved(config) {
    pages = config.root;
  },
  async closeBundle() {
    const root = join(pages, '..');
    await build({
      configFile: false,
      root: join(pages, 'globe'),
      base: './',
      logLevel: 'error',
      plugins: [cesiumFiles(root), listBundled('globe')],
      build: {
        outDir: join(root, 'out', 'globe'),
        emptyOutDir: true,
        target: 'esnext',
        assetsInlineLimit: 0,
        chunkSizeWarningLimit: 8_000,
      },
    });
  },
};
