import { join, relative, resolve, sep } from 'node:path';
import { createIgnore } from '../../files/left-out/ignore-rules.ts';
import { createPathFits, lineFor, patternsBelow } from '../../files/left-out/path-patterns.ts';
import type { SourceFile } from '../../files/model.ts';
import { pathBelow } from '../../files/paths.ts';
import { markerLines } from '../ready/marker.ts';
import type { WatchRule } from '../rule.ts';

/** Tilelift's own folder in a watched one, with its leases. */
export const ownFolder = '.tilelift';

type LeavingOut = Pick<
  WatchRule,
  'folder' | 'ignore' | 'unit' | 'readyWhen' | 'afterSuccess' | 'afterFailure' | 'mountMarker' | 'receiptFile'
>;

/**
 * A rule's exclusions in addition to every scan's, as gitignore lines relative to `keysFrom` (the watched
 * folder or one below it): its own patterns, the trigger file, the target folders of moves, Tilelift's own
 * folder. Watching and a job's scan must both use them to find the same files.
 */
export function gitignoreFor(rule: LeavingOut, keysFrom: string): readonly string[] {
  const below = relative(rule.folder, keysFrom);
  return patternsBelow(linesOf(rule), below === '' ? [] : below.split(sep));
}

/**
 * Returns a test whether an absolute path is excluded or in an excluded folder; paths outside the watched
 * folder are.
 */
export function createLeftOut(rule: LeavingOut): (path: string, isFolder: boolean) => boolean {
  const isLeftOut = leftOutAt(rule);
  return (path, isFolder) => {
    const place = pathBelow(rule.folder, path);
    return place === null || isLeftOut(place, isFolder);
  };
}

/**
 * Like `createLeftOut`, for a place: relative to the watched folder, `/`-separated, empty for the folder
 * itself.
 */
type LeftOutAt = (place: string, isFolder: boolean) => boolean;

const known = new WeakMap<LeavingOut, LeftOutAt>();

/** Compiles the patterns once per rule rather than for each of many small scans. */
export function leftOutAt(rule: LeavingOut): LeftOutAt {
  const isLeftOut = known.get(rule) ?? createLeftOutAt(rule);
  known.set(rule, isLeftOut);
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

/** Our own lines come last, so that a rule's lines can't revoke them. */
function linesOf(rule: LeavingOut): readonly string[] {
  const lines = [...rule.ignore];
  if (rule.unit.kind === 'trigger') lines.push(lineFor(rule.unit.file, false));
  lines.push(...markerLines(rule));
  if (rule.mountMarker !== null) lines.push(lineFor(rule.mountMarker, false));
  for (const after of [rule.afterSuccess, rule.afterFailure, rule.receiptFile]) {
    if (!('folder' in after)) continue;
    const place = pathBelow(rule.folder, resolve(join(rule.folder), after.folder));
    if (place) lines.push(lineFor(place, true));
  }
  return [...lines, `${ownFolder}/`];
}

/** The files that aren't excluded. */
export const without = (files: readonly SourceFile[], leftOut: ReadonlySet<string>): readonly SourceFile[] =>
  leftOut.size === 0 ? files : files.filter(({ path }) => !leftOut.has(path));
