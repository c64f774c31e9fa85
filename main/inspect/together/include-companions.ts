import { basename, dirname } from 'node:path';
import type { Along } from './companions.ts';
import { extensionOf } from './data-set.ts';
import { weakSidecars } from './sidecars.ts';

/** Dropped files with their neighbours. */
export interface TakenAlong {
  /** The dropped entries, then neighbouring entries that contain added files. */
  readonly paths: readonly string[];
  /** Added files; absolute. */
  readonly taken: readonly string[];
  /** Referenced files that weren't added because of `sidecarsOnly`; absolute. */
  readonly leftBehind: readonly string[];
}

/** Per drop. */
const maxTaken = 5_000;

/**
 * Adds sidecars, and files that models and scenes reference in the same folder or below. Skips notes of the
 * same name (`a.pdf`, `a.txt`).
 *
 * @param dropped absolute paths; folders need no additions
 * @param find like `filesAlong`
 * @param sidecarsOnly for unattended use: references are untrusted and only reported
 */
export async function takeAlong(
  dropped: readonly string[],
  find: (folder: string, names: readonly string[]) => Promise<ReadonlyMap<string, Along>>,
  sidecarsOnly = false,
): Promise<TakenAlong> {
  const droppedPaths = new Set(dropped);
  const byFolder = Map.groupBy(droppedPaths, (path) => dirname(path));
  const addedFiles = new Set<string>();
  const leftBehind = new Set<string>();
  const isOutside = (path: string) => !ancestorsOf(path).some((ancestor) => droppedPaths.has(ancestor));
  for (const [folder, paths] of byFolder) {
    const names = paths.map((path) => basename(path));
    for (const { neighbors, references } of (await find(folder, names)).values()) {
      const sidecars = neighbors.filter((path) => !weakSidecars.has(extensionOf(basename(path))));
      for (const path of sidecars) if (isOutside(path)) addedFiles.add(path);
      for (const path of references) if (isOutside(path)) (sidecarsOnly ? leftBehind : addedFiles).add(path);
    }
  }
  const files = [...addedFiles].slice(0, maxTaken);
  // The topmost entry next to a dropped one that contains the file.
  const entries = files.map(
    (path) => ancestorsOf(path).findLast((ancestor) => byFolder.has(dirname(ancestor))) ?? path,
  );
  const paths = [...new Set([...dropped, ...entries])];
  return { paths, taken: files, leftBehind: [...leftBehind].filter((path) => !addedFiles.has(path)) };
}

function ancestorsOf(path: string): readonly string[] {
  const up = dirname(path);
  return up === path ? [path] : [path, ...ancestorsOf(up)];
}
