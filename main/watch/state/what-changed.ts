import { createIsDerived } from '../../files/left-out/derived-files.ts';
import type { SourceFile } from '../../files/model.ts';
import { createPause } from '../../work-line.ts';

/** Differences between a source and its upload. */
export interface WhatChanged {
  readonly changed: Named;
  readonly added: Named;
  readonly removed: Named;
}

/** A count, and the first few keys. */
export interface Named {
  readonly count: number;
  readonly names: readonly string[];
}

/** `mtimeMs`: absent if only the size is known. */
export interface FileBefore {
  readonly key: string;
  readonly size: number;
  readonly mtimeMs?: number | null;
}

const maxNames = 3;

/**
 * Compares files with the uploaded ones. Null without differences. Ignores files that viewers derive from
 * data.
 */
export async function whatChanged(
  uploaded: Iterable<FileBefore>,
  currentFiles: readonly SourceFile[],
): Promise<WhatChanged | null> {
  const pause = createPause();
  const unmatched = new Map<string, SourceFile>();
  for (const file of currentFiles) {
    unmatched.set(file.key, file);
    await pause();
  }
  const keys = new Set(unmatched.keys());
  const isDerived = createIsDerived((key) => keys.has(key));
  const [changed, added, removed]: [string[], string[], string[]] = [[], [], []];
  for (const { key, size, mtimeMs } of uploaded) {
    const file = unmatched.get(key);
    unmatched.delete(key);
    await pause();
    if (isDerived(key)) continue;
    if (!file) removed.push(key);
    else if (file.size !== size || (mtimeMs != null && Math.floor(file.mtimeMs) !== Math.floor(mtimeMs)))
      changed.push(key);
  }
  for (const key of unmatched.keys()) if (!isDerived(key)) added.push(key);
  if (changed.length + added.length + removed.length === 0) return null;
  const named = (keys: readonly string[]): Named => ({ count: keys.length, names: keys.slice(0, maxNames) });
  return { changed: named(changed), added: named(added), removed: named(removed) };
}
