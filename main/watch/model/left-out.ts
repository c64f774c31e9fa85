import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { createIgnore } from '../../files/left-out/ignore-rules.ts';
import { createPathFits, lineFor, patternsBelow } from '../../files/left-out/path-patterns.ts';
import type { SourceFile } from '../../files/model.ts';
import { pathBelow, toKey } from '../../files/paths.ts';
import type { FoundSource } from './model.ts';
import type { WatchRule } from './rule.ts';

/** The marker file of a complete delivery. Pure. */

/** Placeholder of the source's name in a marker's name. */
export const nameToken = '{name}';

type Marking = Pick<WatchRule, 'unit' | 'readyWhen'>;

/** The marker's name. Null if the rule needs none, or if a batch has no name yet. */
export function markerOf({ unit, readyWhen }: Marking): string | null {
  return readyWhen.kind === 'marker' && unit.kind !== 'batch' ? readyWhen.name : null;
}

/**
 * Whether it is a plain name with at most one token, different from the source's own. A whole folder contains
 * its marker, so the name has no token.
 */
export function isMarkerName(name: string, unit: Marking['unit']): boolean {
  const remainder = unit.kind === 'whole-folder' ? name : name.replace(nameToken, '');
  return remainder.trim() !== '' && !/[\\/{}\0]/.test(remainder) && !/^\.{1,2}$/.test(name);
}

/** Gitignore lines that exclude markers from every source. */
export function markerLines(rule: Marking): readonly string[] {
  const name = markerOf(rule);
  if (name === null) return [];
  // Without the leading slash, so that it matches at any depth.
  return [
    name
      .split(nameToken)
      .map((piece) => lineFor(piece, false).slice(1))
      .join('*'),
  ];
}

/** Whether it may be a marker of the rule. */
export function isMarker(rule: Marking, path: string): boolean {
  const [prefix, suffix] = markerOf(rule)?.split(nameToken) ?? [];
  const name = basename(path);
  if (prefix === undefined) return false;
  if (suffix === undefined) return name === prefix;
  return name.length > prefix.length + suffix.length && name.startsWith(prefix) && name.endsWith(suffix);
}

/**
 * Possible absolute paths of the marker, the one to display first. A marker with the source's name is next to
 * the source, for files also without the extension (`a.tif.ok`, `a.ok`); others are in the source's folder.
 */
export function markerPaths(rule: Marking & Pick<WatchRule, 'folder'>, source: Placed): readonly string[] {
  const marker = markerOf(rule);
  const sourcePath = ownPath(rule.folder, source);
  if (marker === null || sourcePath === undefined) return [];
  const isFolder = sourcePath === source.keysFrom;
  if (!marker.includes(nameToken)) return [join(isFolder ? sourcePath : dirname(sourcePath), marker)];
  const name = basename(sourcePath);
  const names = isFolder ? [name] : [name, basename(name, extname(name))];
  return [...new Set(names)].map((stem) =>
    join(
      dirname(sourcePath),
      marker.replace(nameToken, () => stem),
    ),
  );
}

type Placed = Pick<FoundSource, 'path' | 'paths' | 'keysFrom'>;

/** The folder, or the file that names the source, in the disk's spelling. */
function ownPath(folder: string, { path, paths, keysFrom }: Placed): string | undefined {
  if (paths[0] === keysFrom) return keysFrom;
  return paths.find((candidate) => toKey(candidate) === toKey(join(folder, path)));
}

/** Tilelift's own folder contains the leases. */
export const ownFolder = '.tilelift';

type LeavingOut = Pick<
  WatchRule,
  'folder' | 'ignore' | 'unit' | 'readyWhen' | 'afterSuccess' | 'afterFailure' | 'mountMarker' | 'receiptFile'
>;

/**
 * Returns a rule's exclusions as gitignore lines relative to `keysFrom` (in the watched folder): its
 * patterns, markers, target folders of moves, Tilelift's own folder. Watching and a job's scan must both use
 * them.
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
