import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const sums = 'SHA256SUMS';

/** electron-builder's own files. */
const notGivenOut = /^(builder-.*\.ya?ml|\..*)$/;

/**
 * Writes a checksum file for a folder's files, in the format of `sha256sum --check`. Subfolders (unpacked
 * apps) are ignored.
 * @param {string} folder
 * @returns {Promise<string[]>} the names
 */
export async function writeChecksums(folder) {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== sums && !notGivenOut.test(entry.name))
    .map(({ name }) => name)
    .sort();
  const lines = [];
  for (const name of names) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, name)), hash);
    lines.push(`${hash.digest('hex')}  ${name}\n`);
  }
  writeFileSync(join(folder, sums), lines.join(''));
  return names;
}
