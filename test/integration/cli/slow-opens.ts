/**
 * Preloaded with `--import`: opening a `.tif` takes 700 ms, as on a drive that spins up or a remote share.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { openSync } = fs;
const openMs = 700;

fs.openSync = (path, ...options) => {
  if (String(path).endsWith('.tif')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, openMs);
  return openSync(path, ...options);
};
syncBuiltinESMExports();
