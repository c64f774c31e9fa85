/**
 * A scan worker during whose calls to the file system others are busy: for as long as a call takes, a link
 * stands in the place of a folder. Told by its environment: the call, the folder, and where the link leads.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [call = '', folder = '', outside = ''] = (process.env.TILELIFT_TEST_SWAPS ?? '').split('\n');
const { renameSync, symlinkSync, unlinkSync } = fs;
const aside = `${folder}.aside`;
const original = Reflect.get(fs, call) as (...given: unknown[]) => unknown;

Reflect.set(fs, call, (...given: unknown[]) => {
  renameSync(folder, aside);
  symlinkSync(outside, folder);
  try {
    return original(...given);
  } finally {
    unlinkSync(folder);
    renameSync(aside, folder);
  }
});
syncBuiltinESMExports();
await import('../../../../main/workers/scan-worker.ts');
