import { realpath } from 'node:fs/promises';
import { isAbsolute, normalize, relative, resolve, sep } from 'node:path';
import { hasCode } from '../errno.ts';
import { TileliftError } from '../errors.ts';
import type { WatchRule } from '../watch/model/rule.ts';

/**
 * Paths that the user granted by dialog, drop or the system. Pages can only name these, so that a compromised
 * page can't read others. Valid until Tilelift quits.
 */
export interface GrantedPaths {
  grant(paths: readonly string[]): void;
  /** Returns paths that aren't granted, in a granted folder, or in a saved rule's folders. */
  missingPaths(paths: readonly string[]): Promise<readonly string[]>;
  /** Throws `path-not-given` with the first missing path. */
  check(paths: readonly string[]): Promise<void>;
}

export function createGrantedPaths(rules: () => readonly WatchRule[]): GrantedPaths {
  const grantedPaths = new Set<string>();
  const isGranted = async (path: string) => {
    const requestedPath = withoutSeparator(path);
    if (grantedPaths.has(requestedPath)) return true;
    for (const root of [...grantedPaths, ...rules().flatMap(foldersOf).map(withoutSeparator)])
      if (isIn(requestedPath, root) && (await reallyIsIn(requestedPath, root))) return true;
    return false;
  };
  const missingPaths = async (paths: readonly string[]) => {
    const granted = await Promise.all(paths.map(isGranted));
    return paths.filter((_path, index) => !granted[index]);
  };
  return {
    grant: (paths) => {
      for (const path of paths) if (isAbsolute(path)) grantedPaths.add(withoutSeparator(path));
    },
    missingPaths,
    check: async (paths) => {
      const [subject] = await missingPaths(paths);
      if (subject !== undefined) throw new TileliftError('path-not-given', { subject });
    },
  };
}

function foldersOf(rule: WatchRule): readonly string[] {
  return folderFields(rule).map(({ folder }) => folder);
}

/** A folder with its field in the rule. */
export interface FolderField {
  readonly folder: string;
  readonly field: string;
}

/** Like `foldersOf`, with fields. */
export function folderFields(rule: WatchRule): readonly FolderField[] {
  const { folder } = rule;
  const targets = (['afterSuccess', 'afterFailure', 'receiptFile'] as const).flatMap((field) => {
    const target = rule[field];
    return 'folder' in target ? [{ folder: resolve(folder, target.folder), field: `${field}.folder` }] : [];
  });
  return [{ folder, field: 'folder' }, ...targets];
}

/** Normalizes a path and removes a final separator, except for a drive's root. */
function withoutSeparator(path: string): string {
  const normal = normalize(path);
  return normal.endsWith(sep) && resolve(normal) !== normal ? resolve(normal) : normal;
}

function isIn(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === '' || !(isAbsolute(way) || way === '..' || way.startsWith(`..${sep}`));
}

/** Resolves links, which may lead out of a granted folder. Missing paths can't be read anyway. */
async function reallyIsIn(path: string, root: string): Promise<boolean> {
  if (path === root) return true;
  try {
    return isIn(await realpath(path), await realpath(root));
  } catch (error) {
    return hasCode(error, 'ENOENT');
  }
}
