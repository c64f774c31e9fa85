/**
 * `node tools/release/attachments.mjs dist`: writes the files that accompany a folder's installers:
 * SHA256SUMS. Runs on Node 20 or later without installed packages.
 */
import { resolve } from 'node:path';
import { say } from '../../scripts/setup/say.mjs';
import { writeChecksums } from './checksums.mjs';

try {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('node tools/release/attachments.mjs <folder with installers>');
  const names = await writeChecksums(resolve(folder));
  say(`Wrote SHA256SUMS of ${names.join(', ')}.`);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
