import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const name = 'THIRD-PARTY-NOTICES.txt';

/** Path from a chunk in the archive to the folder next to the archive. */
const levels = 5;

/**
 * The notices of other people's software, which only packages contain (scripts/package/notices.mjs).
 * @param startFolder the folder of this code in the package
 * @throws Error outside a package
 */
export function noticesFile(startFolder: string = import.meta.dirname): string {
  let folder = startFolder;
  for (let level = 0; level < levels; level += 1) {
    const file = join(folder, name);
    if (existsSync(file)) return file;
    folder = dirname(folder);
  }
  throw new Error(`There is no ${name} above ${startFolder}`);
}
