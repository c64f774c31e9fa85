import { basename, dirname } from 'node:path';
import type { Scan, SourceFile } from './model.ts';
import { foldersBeside } from './together/beside.ts';
import { dataSetsOf } from './together/data-set.ts';
import { toKey } from './walk/read-folder.ts';

/** Dropped entries that would become one asset: a folder, or a file with what belongs to it. */
export interface SourcePart {
  readonly paths: readonly string[];
  readonly files: readonly SourceFile[];
  /** Names inside, where it is one archive. */
  readonly archivedNames?: readonly string[];
}

/**
 * What several dropped entries become as one asset each, in the order in which they were dropped. A file's sidecars and a city model's folder of pictures go
 * with it; entries in which there is nothing to send are left out.
 */
export async function partsOf(
  paths: readonly string[],
  scan: Pick<Scan, 'files'>,
): Promise<readonly SourcePart[]> {
  const filesOf = new Map(paths.map((path) => [toKey(basename(path)), [] as SourceFile[]]));
  for (const file of scan.files) filesOf.get(file.key.split('/', 1)[0] ?? '')?.push(file);
  const own = (path: string) => filesOf.get(toKey(basename(path))) ?? [];
  const isFile = (path: string) => own(path).some(({ key }) => key === toKey(basename(path)));
  const places = new Map<string, string[]>();
  for (const path of paths) if (own(path).length > 0) push(places, dirname(path), path);
  const parts: SourcePart[] = [];
  for (const entries of places.values()) {
    const pathOf = new Map(entries.map((path) => [basename(path), path]));
    const { sets, lone } = await dataSetsOf(entries.filter(isFile).map((path) => basename(path)));
    const folders = entries.filter((path) => !isFile(path)).map((path) => basename(path));
    const pictures = new Set<string>();
    const groups = sets.map(({ primary, companions }) => {
      const appearances = foldersBeside(primary, folders);
      for (const folder of appearances) pictures.add(folder);
      return [primary, ...companions, ...appearances];
    });
    const others = [...folders.filter((folder) => !pictures.has(folder)), ...lone].map((name) => [name]);
    for (const group of [...groups, ...others]) {
      const groupPaths = group.flatMap((name) => pathOf.get(name) ?? []);
      parts.push({ paths: groupPaths, files: groupPaths.flatMap(own) });
    }
  }
  const place = new Map(paths.map((path, index) => [path, index]));
  const firstPlace = ({ paths: [first = ''] }: SourcePart) => place.get(first) ?? 0;
  return parts.sort((a, b) => firstPlace(a) - firstPlace(b));
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
