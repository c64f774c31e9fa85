import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Puts the contents of a package below a folder, as they will be below `/`: folders 0755, programs 0755, all
 * else 0644, whatever the umask was.
 * @param {readonly { from: string, to: string }[]} contents
 * @param {string} folder made by this
 */
export function stage(contents, folder) {
  mkdirSync(folder, { recursive: true });
  for (const { from, to } of contents) {
    const target = join(folder, to);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(from, target, { recursive: true, verbatimSymlinks: true });
  }
  for (const path of below(folder)) {
    const entry = lstatSync(join(folder, path));
    if (entry.isSymbolicLink()) continue;
    chmodSync(join(folder, path), entry.isDirectory() || (entry.mode & 0o100) !== 0 ? 0o755 : 0o644);
  }
  chmodSync(folder, 0o755);
}

/** The files below a folder, relative, sorted. @param {string} folder */
export const filesBelow = (folder) =>
  below(folder).filter((path) => !lstatSync(join(folder, path)).isDirectory());

/** What the files below a folder take on disk, KiB. @param {string} folder */
export const sizeBelow = (folder) =>
  filesBelow(folder).reduce((sum, path) => sum + Math.ceil(statSync(join(folder, path)).size / 1024), 0);

/** @param {string} folder */
const below = (folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
