import { basename, dirname, extname, join } from 'node:path';
import { lineFor } from '../../files/left-out/path-patterns.ts';
import { toKey } from '../../files/paths.ts';
import type { FoundSource } from './model.ts';
import type { WatchRule } from './rule.ts';

/** The marker file of a complete delivery. Pure. */

/** Stands for the source's name in a marker's name. */
export const nameToken = '{name}';

type Marking = Pick<WatchRule, 'unit' | 'readyWhen'>;

/**
 * The marker's name. Null if the rule needs none, if a trigger file covers the whole folder, or if a batch
 * has no name yet.
 */
export function markerOf({ unit, readyWhen }: Marking): string | null {
  const isNamed = unit.kind !== 'trigger' && unit.kind !== 'batch';
  return readyWhen.kind === 'marker' && isNamed ? readyWhen.name : null;
}

/** Whether it is a plain name with at most one token, different from the source's own. */
export function isMarkerName(name: string): boolean {
  const remainder = name.replace(nameToken, '');
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
