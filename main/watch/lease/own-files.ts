import { TileliftError } from '../../errors.ts';
import { type HeldFolder, holdFolder, InTheWay } from '../../files/held-folder.ts';
import { ownFolder } from '../model/left-out.ts';

/**
 * Works in a part of Tilelift's own folder. `onForeign`: something that must not be followed has replaced it.
 * Throws `watch-lease-unwritable` if it can't be used.
 */
export async function withinOwnFolder<T>(
  watchedFolder: string,
  part: 'leases' | 'sources',
  work: (folder: HeldFolder) => Promise<T>,
  onForeign: (error: TileliftError) => T,
): Promise<T> {
  try {
    await using folder = await holdOwnFolder(watchedFolder, part);
    const answer = await work(folder);
    await folder.check();
    return answer;
  } catch (cause) {
    if (cause instanceof TileliftError && cause.code === 'watch-own-folder-foreign') return onForeign(cause);
    throw new TileliftError('watch-lease-unwritable', { subject: watchedFolder, cause });
  }
}

/**
 * Holds Tilelift's own folder in a watched one, or a folder in it. Creates it if missing, but never the
 * watched folder, which may be an unmounted drive. Must be a real folder on the same drive.
 *
 * @throws TileliftError `watch-own-folder-foreign`, or the system's errors
 */
async function holdOwnFolder(folder: string, ...subfolders: readonly string[]): Promise<HeldFolder> {
  try {
    await using watched = await holdFolder(folder, []);
    const heldFolder = await holdFolder(folder, [ownFolder, ...subfolders], { madeFolders: [] });
    if (heldFolder.device === watched.device) return heldFolder;
    await heldFolder[Symbol.asyncDispose]();
    throw new InTheWay(`${ownFolder} lies on another drive`);
  } catch (cause) {
    if (cause instanceof InTheWay)
      throw new TileliftError('watch-own-folder-foreign', { subject: folder, cause });
    throw cause;
  }
}
