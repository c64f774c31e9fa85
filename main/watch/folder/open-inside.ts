import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { carefully, InTheWay } from './held-folder.ts';
import { isWithin } from './paths.ts';

/**
 * Opens a plain file in a folder where others write, for reading: not a link, not by way of one that leads
 * out of the folder, and without waiting for a pipe.
 *
 * @throws InTheWay; the system's own errors
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
    // Linux tells where an open file is, whatever was swapped on the way to it.
    const really = platform === 'linux' ? await readlink(`/proc/self/fd/${handle.fd}`) : await realpath(path);
    if (!isWithin(really, await realpath(folder))) throw new InTheWay(`${path} leads outside`);
    if (platform === 'linux') return handle;
    const { dev, ino } = await lstat(really, { bigint: true });
    if (dev !== stats.dev || ino !== stats.ino) throw new InTheWay(`${path} is another file now`);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** A plain file; no link is followed. What can't be asked is not there yet. */
export async function isFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
