import { join, relative, resolve, sep } from 'node:path';
import { createIgnore } from '../../files/left-out/ignore-rules.ts';
import { createPathFits, lineFor, patternsBelow } from '../../files/left-out/path-patterns.ts';
import type { SourceFile } from '../../files/model.ts';
import { pathBelow } from '../../files/paths.ts';
import { markerLines } from './marker.ts';
import type { WatchRule } from './rule.ts';

/** Tilelift's own folder contains the leases. */
export const ownFolder = '.tilelift';

type LeavingOut = Pick<
  WatchRule,
  'folder' | 'ignore' | 'unit' | 'readyWhen' | 'afterSuccess' | 'afterFailure' | 'mountMarker' | 'receiptFile'
>;

/**
 * Returns a rule's exclusions as gitignore lines relative to `keysFrom` (in the watched folder): its
 * patterns, the trigger file, target folders of moves, Tilelift's own folder. Watching and a job's scan must
 * both use them.
 */
export function gitignoreFor(rule: LeavingOut, keysFrom: string): readonly string[] {
  const relativePath = relative(rule.folder, keysFrom);
  return patternsBelow(linesOf(rule), relativePath === '' ? [] : relativePath.split(sep));
}

/** Excludes absolute paths, including all outside the watched folder. */
export function createLeftOut(rule: LeavingOut): (path: string, isFolder: boolean) => boolean {
  const isLeftOut = leftOutAt(rule);
  return (path, isFolder) => {
    const place = pathBelow(rule.folder, path);
    return place === null || isLeftOut(place, isFolder);
  };
}

/** `place`: relative to the watched folder, `/`-separated, empty for the folder itself. */
type LeftOutAt = (place: string, isFolder: boolean) => boolean;

const compiled = new WeakMap<LeavingOut, LeftOutAt>();

/** Compiles the patterns once per rule, because there are many small scans. */
export function leftOutAt(rule: LeavingOut): LeftOutAt {
  const isLeftOut = compiled.get(rule) ?? createLeftOutAt(rule);
  compiled.set(rule, isLeftOut);
  return isLeftOut;
}

function createLeftOutAt(rule: LeavingOut): LeftOutAt {
  const ignore = createIgnore();
  const fits = createPathFits(linesOf(rule));
  return (place, isFolder) => {
    if (place === '') return false;
    const names = place.split('/');
    const byName = names.some((name, index) => ignore(name, index < names.length - 1 || isFolder));
    return byName || fits(place, isFolder);
  };
}

/** Our own lines come last, so that a rule can't revoke them. */
function linesOf(rule: LeavingOut): readonly string[] {
  const lines = [...rule.ignore];
  if (rule.unit.kind === 'trigger') lines.push(lineFor(rule.unit.file, false));
  lines.push(...markerLines(rule));
  if (rule.mountMarker !== null) lines.push(lineFor(rule.mountMarker, false));
  for (const afterEnd of [rule.afterSuccess, rule.afterFailure, rule.receiptFile]) {
    if (!('folder' in afterEnd)) continue;
    const place = pathBelow(rule.folder, resolve(join(rule.folder), afterEnd.folder));
    if (place) lines.push(lineFor(place, true));
  }
  return [...lines, `${ownFolder}/`];
}

/** Removes excluded files. */
export const without = (files: readonly SourceFile[], leftOut: ReadonlySet<string>): readonly SourceFile[] =>
  leftOut.size === 0 ? files : files.filter(({ path }) => !leftOut.has(path));
