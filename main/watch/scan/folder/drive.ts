import { execFile } from 'node:child_process';
import { realpath as realpathCallback } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { hasCode } from '../../../errno.ts';
import { fileSystemIn, isNetworkFileSystem, isUncPath, parseMacMounts, parseMountInfo } from './mounts.ts';

interface Drive {
  readonly kind: 'local' | 'network';
}

/** Detects network drives; local if unknown. Only reads the drive to follow links. */
export async function driveOf(folder: string, platform: NodeJS.Platform = process.platform): Promise<Drive> {
  if (platform === 'win32') {
    // Resolves the letter of a mapped share.
    const real = await promisify(realpathCallback.native)(folder).catch(() => folder);
    return { kind: isUncPath(folder) || isUncPath(real) ? 'network' : 'local' };
  }
  const real = await realpath(folder).catch(() => folder);
  const type = await fileSystemOf(real, platform);
  return { kind: type !== null && isNetworkFileSystem(type) ? 'network' : 'local' };
}

async function fileSystemOf(path: string, platform: NodeJS.Platform): Promise<string | null> {
  try {
    if (platform === 'linux')
      return fileSystemIn(path, parseMountInfo(await readFile('/proc/self/mountinfo', 'utf8')));
    if (platform !== 'darwin' || !path.startsWith('/Volumes/')) return null;
    const { stdout } = await promisify(execFile)('/sbin/mount', [], { timeout: 5_000 });
    return fileSystemIn(path, parseMacMounts(stdout));
  } catch {
    return null;
  }
}

/**
 * Whether a move between the paths is a rename. For a missing path, its nearest existing parent counts. False
 * if unknown.
 */
export async function sameDrive(a: string, b: string): Promise<boolean> {
  const [firstDevice, secondDevice] = await Promise.all([deviceOf(a), deviceOf(b)]);
  return firstDevice !== null && firstDevice === secondDevice;
}

async function deviceOf(path: string): Promise<number | null> {
  for (let currentPath = path; ; currentPath = dirname(currentPath)) {
    try {
      return (await stat(currentPath)).dev;
    } catch (error) {
      if (!hasCode(error, 'ENOENT') || dirname(currentPath) === currentPath) return null;
    }
  }
}
