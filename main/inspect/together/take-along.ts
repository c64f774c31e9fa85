import { basename, dirname } from 'node:path';
import type { Along } from './along.ts';
import { extensionOf } from './data-set.ts';
import { weakSidecars } from './sidecars.ts';

/** What was dropped, with what lies beside it and belongs to it. */
export interface TakenAlong {
  /** The dropped entries, then the entries beside them in which something was found that belongs to them. */
  readonly paths: readonly string[];
  /** Files that belong to dropped ones and were not dropped themselves; absolute. */
  readonly taken: readonly string[];
  /** Files that dropped ones name and that stay where they are, as `sidecarsOnly` asks; absolute. */
  readonly leftBehind: readonly string[];
}

/** Files that are taken along, for each drop. */
const maxTaken = 5_000;

/**
 * What belongs to dropped files, as watched folders see it: sidecar files beside them, and what models and
 * scenes name in the same folder or below. Notes of the same name (`a.pdf`, `a.txt`) are left where they are.
 *
 * @param dropped absolute paths; folders take nothing along
 * @param find as `filesAlong`
 * @param sidecarsOnly nobody looks on: what a document names was chosen by whoever wrote it, and stays
 */
export async function takeAlong(
  dropped: readonly string[],
  find: (folder: string, names: readonly string[]) => Promise<ReadonlyMap<string, Along>>,
  sidecarsOnly = false,
): Promise<TakenAlong> {
  const own = new Set(dropped);
  const byFolder = Map.groupBy(own, (path) => dirname(path));
  const taken = new Set<string>();
  const leftBehind = new Set<string>();
  const isOutside = (path: string) => !above(path).some((one) => own.has(one));
  for (const [folder, paths] of byFolder) {
    const names = paths.map((path) => basename(path));
    for (const { beside, named } of (await find(folder, names)).values()) {
      const sidecars = beside.filter((path) => !weakSidecars.has(extensionOf(basename(path))));
      for (const path of sidecars) if (isOutside(path)) taken.add(path);
      for (const path of named) if (isOutside(path)) (sidecarsOnly ? leftBehind : taken).add(path);
    }
  }
  const files = [...taken].slice(0, maxTaken);
  // The entry beside a dropped one in which the file is: the topmost of them.
  const entries = files.map((path) => above(path).findLast((one) => byFolder.has(dirname(one))) ?? path);
  const paths = [...new Set([...dropped, ...entries])];
  return { paths, taken: files, leftBehind: [...leftBehind].filter((path) => !taken.has(path)) };
}

/** The path, the folder that it is in, and so on to the top. */
function above(path: string): readonly string[] {
  const up = dirname(path);
  return up === path ? [path] : [path, ...above(up)];
}
