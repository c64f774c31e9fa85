import { createRequire } from 'node:module';

/** Where laz-perf’s program lies. In the app it lies beside the code: scripts/package/laz-perf-beside.mjs. */
export const lazPerfFile: URL | string = createRequire(import.meta.url).resolve(
  'laz-perf/lib/node/laz-perf.wasm',
);
