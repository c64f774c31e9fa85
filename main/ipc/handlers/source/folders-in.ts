import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Limit of entries that become assets at once. */
const maxEntries = 300;

/**
 * Returns the folders in a folder, with the files next to them, so that each becomes an asset. Empty if there
 * are fewer than two folders, or too many entries.
 */
export async function foldersIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const visibleEntries = entries.filter((entry) => !entry.name.startsWith('.') && !entry.isSymbolicLink());
  const folderCount = visibleEntries.filter((entry) => entry.isDirectory()).length;
  const isOffered = folderCount > 1 && visibleEntries.length <= maxEntries;
  return isOffered ? visibleEntries.map(({ name }) => join(path, name)).sort() : [];
}
