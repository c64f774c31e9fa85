import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Copies a package's contents to a folder as they will be below `/`: folders and programs 0755, other files
 * 0644, regardless of the umask.
 * @param {readonly { from: string, to: string }[]} contents
 * @param {string} folder created by this function
 */
export function stage(contents, folder) {
  mkdirSync(folder, { recursive: true });
  for (const { from: sourcePath, to: targetPath } of contents) {
    const target = join(folder, targetPath);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(sourcePath, target, { recursive: true, verbatimSymlinks: true });
  }
  for (const path of below(folder)) {
    const entry = lstatSync(join(folder, path));
    if (entry.isSymbolicLink()) continue;
    chmodSync(join(folder, path), entry.isDirectory() || (entry.mode & 0o100) !== 0 ? 0o755 : 0o644);
  }
  chmodSync(folder, 0o755);
}

/** Sorted relative paths of the files below a folder. @param {string} folder */
export const filesBelow = (folder) =>
  below(folder).filter((path) => !lstatSync(join(folder, path)).isDirectory());

/** Disk usage of the files below a folder, KiB. @param {string} folder */
export const sizeBelow = (folder) =>
  filesBelow(folder).reduce((sum, path) => sum + Math.ceil(statSync(join(folder, path)).size / 1024), 0);

/** @param {string} folder */
const below = (folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
