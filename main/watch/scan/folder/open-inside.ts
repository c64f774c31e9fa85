import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { carefully, InTheWay } from './held-folder.ts';
import { isWithin } from './paths.ts';

/**
 * Opens a plain file in a folder that other users write to. Refuses links and paths out of the folder;
 * doesn't block on a pipe.
 *
 * @throws InTheWay, or the system's errors
 */
export async function openInside(
  folder: string,
  path: string,
  platform: NodeJS.Platform = process.platform,
): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | carefully);
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw new InTheWay(`${path} is no file`);
    // Linux knows the real path of an open file, even if its parents were swapped.
    const realFile =
      platform === 'linux' ? await readlink(`/proc/self/fd/${handle.fd}`) : await realpath(path);
    if (!isWithin(realFile, await realpath(folder))) throw new InTheWay(`${path} leads outside`);
    if (platform === 'linux') return handle;
    const { dev, ino } = await lstat(realFile, { bigint: true });
    if (dev !== stats.dev || ino !== stats.ino) throw new InTheWay(`${path} is another file now`);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Whether it is a plain file; follows no link. False on errors. */
export async function isFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
