import { closeSync, fstatSync, lstatSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { readFlags } from './file-identity.ts';
import { pathBelow } from './paths.ts';

/**
 * Opens a plain file in a folder that other users write to, in a thread that may block. Refuses links and
 * paths out of the folder; doesn't block on a pipe.
 *
 * @returns the file descriptor
 * @throws Error, or the system's errors
 */
export function openInside(
  folder: string,
  path: string,
  platform: NodeJS.Platform = process.platform,
): number {
  const file = openSync(path, readFlags);
  try {
    const stats = fstatSync(file, { bigint: true });
    if (!stats.isFile()) throw new Error(`${path} is no file`);
    // Linux knows the real path of an open file, even if its parents were swapped.
    const realFile = platform === 'linux' ? readlinkSync(`/proc/self/fd/${file}`) : realpathSync(path);
    if (pathBelow(realpathSync(folder), realFile) === null) throw new Error(`${path} leads outside`);
    if (platform === 'linux') return file;
    const { dev, ino } = lstatSync(realFile, { bigint: true });
    if (dev !== stats.dev || ino !== stats.ino) throw new Error(`${path} is another file now`);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}
