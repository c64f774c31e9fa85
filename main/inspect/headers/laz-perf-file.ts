import { createRequire } from 'node:module';

/**
 * laz-perf’s WebAssembly file. The packaged app has it next to the code: scripts/package/laz-perf-beside.mjs.
 */
export const lazPerfFile: URL | string = createRequire(import.meta.url).resolve(
  'laz-perf/lib/node/laz-perf.wasm',
);
