/**
 * A scan worker whose folder is replaced by a link during a file system call. The environment names the call,
 * the folder, and the link's target.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [call = '', folder = '', outsideFolder = ''] = (process.env.TILELIFT_TEST_SWAPS ?? '').split('\n');
const { renameSync, symlinkSync, unlinkSync } = fs;
const asideFolder = `${folder}.aside`;
const original = Reflect.get(fs, call) as (...args: unknown[]) => unknown;

Reflect.set(fs, call, (...args: unknown[]) => {
  renameSync(folder, asideFolder);
  symlinkSync(outsideFolder, folder);
  try {
    return original(...args);
  } finally {
    unlinkSync(folder);
    renameSync(asideFolder, folder);
  }
});
syncBuiltinESMExports();
await import('../../../../main/workers/scan-worker.ts');
