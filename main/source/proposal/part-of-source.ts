import { dirname, sep } from 'node:path';
import type { SourceFile } from '../model.ts';
import { createPage, type Page } from '../pages.ts';

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
export async function partOfSource(
  paths: readonly string[],
  all: readonly SourceFile[],
  part: readonly SourceFile[],
  page = createPage(),
): Promise<PartOfSource> {
  const wanted = new Set<string>();
  for (const { path } of part) {
    wanted.add(path);
    if (page.isFull()) await page.turn();
  }
  const entries: string[] = [];
  for (const path of paths) if (await has(part, (file) => isIn(path, file.path), page)) entries.push(path);
  const [only] = entries;
  const isFolder = only !== undefined && !wanted.has(only);
  const roots = entries.length === 1 && isFolder ? [await deepest(only, part, page)] : entries;
  const isOther = ({ path }: SourceFile) => !wanted.has(path) && roots.some((root) => isIn(root, path));
  const others = await has(all, isOther, page);
  return { paths: roots.length > 0 ? roots : paths, only: others || roots.length === 0 ? [...wanted] : null };
}

/** As `pathBelow` tells, and cheaper: both paths are as a scan gives them. */
const isIn = (folder: string, path: string): boolean =>
  path.startsWith(folder) &&
  (path.length === folder.length || folder.endsWith(sep) || path.startsWith(sep, folder.length));

async function has(
  files: readonly SourceFile[],
  fits: (file: SourceFile) => boolean,
  page: Page,
): Promise<boolean> {
  for (const file of files) {
    if (fits(file)) return true;
    if (page.isFull()) await page.turn();
  }
  return false;
}

async function deepest(root: string, files: readonly SourceFile[], page: Page): Promise<string> {
  let folder = dirname(files[0]?.path ?? root);
  for (const { path } of files) {
    while (folder !== root && !isIn(folder, path)) {
      const up = dirname(folder);
      if (up === folder) return root;
      folder = up;
    }
    if (page.isFull()) await page.turn();
  }
  return isIn(root, folder) ? folder : root;
}
