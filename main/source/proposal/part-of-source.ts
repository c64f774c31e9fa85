import { dirname, sep } from 'node:path';
import type { SourceFile } from '../model.ts';

/** Where a part of what was dropped is, as a job needs to know it. */
export interface PartOfSource {
  /** Entries that are scanned: keys are relative to them as if they had been dropped themselves. */
  readonly paths: readonly string[];
  /** Of what is there, these files alone, absolute; null for all. */
  readonly only: readonly string[] | null;
}

/**
 * The dropped entries in which the files of a part are; of one folder, the deepest that holds them all, so
 * that
 * a folder that is a part whole is what it would be had it been dropped alone.
 *
 * @param all every file that was found in `paths`; `part`: some of them
 */
export function partOfSource(
  paths: readonly string[],
  all: readonly SourceFile[],
  part: readonly SourceFile[],
): PartOfSource {
  const wanted = new Set(part.map(({ path }) => path));
  const entries = paths.filter((path) => part.some((file) => isIn(path, file.path)));
  const [only] = entries;
  const isFolder = only !== undefined && !wanted.has(only);
  const roots = entries.length === 1 && isFolder ? [deepest(only, part)] : entries;
  const others = all.some(({ path }) => !wanted.has(path) && roots.some((root) => isIn(root, path)));
  return { paths: roots.length > 0 ? roots : paths, only: others || roots.length === 0 ? [...wanted] : null };
}

/** As `pathBelow` tells, and cheaper: both paths are as a scan gives them. */
const isIn = (folder: string, path: string): boolean =>
  path.startsWith(folder) &&
  (path.length === folder.length || folder.endsWith(sep) || path.startsWith(sep, folder.length));

function deepest(root: string, files: readonly SourceFile[]): string {
  let folder = dirname(files[0]?.path ?? root);
  for (const { path } of files) {
    while (folder !== root && !isIn(folder, path)) {
      const up = dirname(folder);
      if (up === folder) return root;
      folder = up;
    }
  }
  return isIn(root, folder) ? folder : root;
}
