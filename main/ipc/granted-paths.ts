import { realpath } from 'node:fs/promises';
import { isAbsolute, normalize, relative, resolve, sep } from 'node:path';
import { hasCode } from '../errno.ts';
import { TileliftError } from '../errors.ts';
import type { WatchRule } from '../watch/rule.ts';

/**
 * The files and folders that a person has given to Tilelift: by the system's dialog, by a drop, by the system
 * itself. A page names paths of these and no others, so that one that has been taken over reads nothing that
 * nobody meant to upload. Kept until Tilelift quits.
 */
export interface GrantedPaths {
  grant(paths: readonly string[]): void;
  /** Those that were not given, are not below what was given, and are not of a rule that is kept. */
  missing(paths: readonly string[]): Promise<readonly string[]>;
  /** Throws `path-not-given`, naming the first of those. */
  check(paths: readonly string[]): Promise<void>;
}

/** `rules`: those that are kept now. */
export function createGrantedPaths(rules: () => readonly WatchRule[]): GrantedPaths {
  const given = new Set<string>();
  const isGranted = async (path: string) => {
    const wanted = plain(path);
    if (given.has(wanted)) return true;
    for (const root of [...given, ...rules().flatMap(foldersOf).map(plain)])
      if (isIn(wanted, root) && (await reallyIsIn(wanted, root))) return true;
    return false;
  };
  const missing = async (paths: readonly string[]) => {
    const granted = await Promise.all(paths.map(isGranted));
    return paths.filter((_path, index) => !granted[index]);
  };
  return {
    grant: (paths) => {
      for (const path of paths) if (isAbsolute(path)) given.add(plain(path));
    },
    missing,
    check: async (paths) => {
      const [subject] = await missing(paths);
      if (subject !== undefined) throw new TileliftError('path-not-given', { subject });
    },
  };
}

/** The folders that a rule reads from, moves to and puts receipts in, absolute. */
function foldersOf(rule: WatchRule): readonly string[] {
  return folderFields(rule).map(({ folder }) => folder);
}

/** A folder, and the field of its rule that names it. */
export interface FolderField {
  readonly folder: string;
  readonly field: string;
}

/** Likewise, each with its field. */
export function folderFields(rule: WatchRule): readonly FolderField[] {
  const { folder } = rule;
  const targets = (['afterSuccess', 'afterFailure', 'receiptFile'] as const).flatMap((field) => {
    const target = rule[field];
    return 'folder' in target ? [{ folder: resolve(folder, target.folder), field: `${field}.folder` }] : [];
  });
  return [{ folder, field: 'folder' }, ...targets];
}

/** Without dots, and without a separator at its end but for a drive's own. */
function plain(path: string): string {
  const normal = normalize(path);
  return normal.endsWith(sep) && resolve(normal) !== normal ? resolve(normal) : normal;
}

function isIn(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === '' || !(isAbsolute(way) || way === '..' || way.startsWith(`..${sep}`));
}

/** A link in a folder that was given leads out of it. What is not there can't be read either. */
async function reallyIsIn(path: string, root: string): Promise<boolean> {
  if (path === root) return true;
  try {
    return isIn(await realpath(path), await realpath(root));
  } catch (error) {
    return hasCode(error, 'ENOENT');
  }
}
