import { dirname, sep } from 'node:path';
import { PickedFiles, type Places } from '../../files/file-table.ts';
import type { SourceFile, SourceFiles } from '../../files/model.ts';

/** A part of the dropped files, for a job. */
export interface PartOfSource {
  /** Keys are relative to these entries as if they had been dropped. */
  readonly paths: readonly string[];
  readonly isWhole: boolean;
}

/**
 * Returns the dropped entries that contain the part, or the deepest folder if there is one entry, so that a
 * complete folder equals its own drop.
 *
 * @param sourceFiles every file found in `paths`
 * @param places indexes of the part
 */
export function partOfSource(
  paths: readonly string[],
  sourceFiles: SourceFiles,
  places: Places,
): PartOfSource {
  const part = new PickedFiles(sourceFiles, places);
  const isPart = new Uint8Array(sourceFiles.length);
  for (const place of places) {
    isPart[place] = 1;
  }
  const entries: string[] = [];
  for (const path of paths) if (has(part, (file) => isIn(path, file.path))) entries.push(path);
  const [only] = entries;
  const isFolder = only !== undefined && !has(part, ({ path }) => path === only);
  const roots = entries.length === 1 && isFolder ? [deepest(only, part)] : entries;
  const isOther = ({ path }: SourceFile, place: number) =>
    isPart[place] === 0 && roots.some((root) => isIn(root, path));
  const isWhole = roots.length > 0 && !has(sourceFiles, isOther);
  return { paths: roots.length > 0 ? roots : paths, isWhole };
}

/** Cheaper than `pathBelow`, for paths from a scan. */
const isIn = (folder: string, path: string): boolean =>
  path.startsWith(folder) &&
  (path.length === folder.length || folder.endsWith(sep) || path.startsWith(sep, folder.length));

function has(files: SourceFiles, fits: (file: SourceFile, place: number) => boolean): boolean {
  let place = 0;
  for (const file of files) {
    if (fits(file, place)) return true;
    place += 1;
  }
  return false;
}

function deepest(root: string, files: SourceFiles): string {
  let folder = dirname(files.at(0)?.path ?? root);
  for (const { path } of files) {
    while (folder !== root && !isIn(folder, path)) {
      const up = dirname(folder);
      if (up === folder) return root;
      folder = up;
    }
  }
  return isIn(root, folder) ? folder : root;
}
