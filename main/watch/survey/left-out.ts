import { join, relative, resolve, sep } from 'node:path';
import { createIgnore } from '../../files/left-out/ignore-rules.ts';
import { createPathFits, lineFor, patternsBelow } from '../../files/left-out/path-patterns.ts';
import type { SourceFile } from '../../files/model.ts';
import { pathBelow } from '../../files/paths.ts';
import { markerLines } from '../ready/marker.ts';
import type { WatchRule } from '../rule.ts';

/** Tilelift’s own folder in a watched one, with its leases. */
export const ownFolder = '.tilelift';

type LeavingOut = Pick<
  WatchRule,
  'folder' | 'ignore' | 'unit' | 'readyWhen' | 'afterSuccess' | 'afterFailure' | 'mountMarker' | 'receiptFile'
>;

/**
 * What a rule leaves out besides what every scan does, as lines in gitignore syntax relative to `keysFrom`,
 * which is the watched folder or is in it: the rule’s own patterns, the trigger file, the folders that
 * finished sources are moved to, Tilelift’s own folder. A survey and the scan of a job must both go by these,
 * or they would not find the same.
 */
export function gitignoreFor(rule: LeavingOut, keysFrom: string): readonly string[] {
  const below = relative(rule.folder, keysFrom);
  return patternsBelow(linesOf(rule), below === '' ? [] : below.split(sep));
}

/**
 * True for what is left out of a watched folder, or is in a folder that is. `path` is absolute; what is
 * outside is left out.
 */
export function createLeftOut(rule: LeavingOut): (path: string, isFolder: boolean) => boolean {
  const isLeftOut = leftOutAt(rule);
  return (path, isFolder) => {
    const place = pathBelow(rule.folder, path);
    return place === null || isLeftOut(place, isFolder);
  };
}

/** As `createLeftOut`, of a place: relative to the watched folder, `/`-separated, empty for the folder. */
type LeftOutAt = (place: string, isFolder: boolean) => boolean;

const known = new WeakMap<LeavingOut, LeftOutAt>();

/** Kept as long as the rule: its patterns are compiled once, not for each of many small looks. */
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

/** Our own lines come last, so that none of the rule’s can take them back. */
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

/** Those whose paths are not left out. */
export const without = (files: readonly SourceFile[], leftOut: ReadonlySet<string>): readonly SourceFile[] =>
  leftOut.size === 0 ? files : files.filter(({ path }) => !leftOut.has(path));
