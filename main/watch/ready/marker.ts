import { basename, dirname, extname, join } from 'node:path';
import { lineFor } from '../../files/left-out/path-patterns.ts';
import { toKey } from '../../files/paths.ts';
import type { FoundSource } from '../model.ts';
import type { WatchRule } from '../rule.ts';

/** The file that says of one delivery that it is all there. Pure. */

/** Stands for the name of the source in a marker's own. */
export const nameToken = '{name}';

type Marking = Pick<WatchRule, 'unit' | 'readyWhen'>;

/**
 * The marker's name as the rule has it; null where it waits for none, where another file speaks for the whole
 * folder, or what arrives together has no name yet.
 */
export function markerOf({ unit, readyWhen }: Marking): string | null {
  const isNamed = unit.kind !== 'trigger' && unit.kind !== 'batch';
  return readyWhen.kind === 'marker' && isNamed ? readyWhen.name : null;
}

/** A plain name, which is not the source's own and has one token at most. */
export function isMarkerName(name: string): boolean {
  const rest = name.replace(nameToken, '');
  return rest.trim() !== '' && !/[\\/{}\0]/.test(rest) && !/^\.{1,2}$/.test(name);
}

/** Lines in gitignore syntax that leave the rule's markers out of every source. */
export function markerLines(rule: Marking): readonly string[] {
  const name = markerOf(rule);
  if (name === null) return [];
  // Without the slash at its beginning: it holds at any depth.
  return [
    name
      .split(nameToken)
      .map((piece) => lineFor(piece, false).slice(1))
      .join('*'),
  ];
}

/** Whether a file of this name may be a marker of the rule. */
export function isMarker(rule: Marking, path: string): boolean {
  const [before, after] = markerOf(rule)?.split(nameToken) ?? [];
  const name = basename(path);
  if (before === undefined) return false;
  if (after === undefined) return name === before;
  return name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after);
}

/**
 * Where the source's marker may are, absolute; the first is what a person is told. With the source's name in
 * its own it is beside the source, for a file also without the extension (`a.tif.ok`, `a.ok`); otherwise in
 * the source's folder. Empty where the rule waits for none.
 */
export function markerPaths(rule: Marking & Pick<WatchRule, 'folder'>, source: Placed): readonly string[] {
  const marker = markerOf(rule);
  const own = ownPath(rule.folder, source);
  if (marker === null || own === undefined) return [];
  const isFolder = own === source.keysFrom;
  if (!marker.includes(nameToken)) return [join(isFolder ? own : dirname(own), marker)];
  const name = basename(own);
  const names = isFolder ? [name] : [name, basename(name, extname(name))];
  return [...new Set(names)].map((one) =>
    join(
      dirname(own),
      marker.replace(nameToken, () => one),
    ),
  );
}

type Placed = Pick<FoundSource, 'path' | 'paths' | 'keysFrom'>;

/** The source as the disk spells it: its folder, or the file that it is called by. */
function ownPath(folder: string, { path, paths, keysFrom }: Placed): string | undefined {
  if (paths[0] === keysFrom) return keysFrom;
  return paths.find((one) => toKey(one) === toKey(join(folder, path)));
}
