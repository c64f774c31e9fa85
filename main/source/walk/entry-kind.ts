import type { Dirent, Stats } from 'node:fs';

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

/**
 * What an entry of a folder is. On Windows a listing calls everything a link that the system keeps in a way of its own, also files that were deduplicated or compressed by the
 * system (libuv, `fs__readdir`: any reparse point); only a look at it, which follows nothing, tells. What that calls a folder stays a link: it leads elsewhere (a mounted volume).
 *
 * @param isFile a look at the entry itself, asked on Windows only
 */
export function entryKind(
  entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>,
  isFile: () => boolean,
  platform: NodeJS.Platform = process.platform,
): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  if (!entry.isSymbolicLink()) return 'other';
  return platform === 'win32' && isFile() ? 'file' : 'link';
}

/** Likewise where a look takes its time. */
export async function askEntryKind(
  entry: Parameters<typeof entryKind>[0],
  look: () => Promise<Pick<Stats, 'isFile'>>,
  platform: NodeJS.Platform = process.platform,
): Promise<EntryKind> {
  const isFile =
    platform === 'win32' &&
    entry.isSymbolicLink() &&
    (await look().then(
      (stats) => stats.isFile(),
      () => false,
    ));
  return entryKind(entry, () => isFile, platform);
}
