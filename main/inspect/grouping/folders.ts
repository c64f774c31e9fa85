import { posix } from 'node:path';
import { sortedBy } from '../../files/places.ts';

/** Returns the sorted child names of each folder. */
export function childFolders(folders: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, Set<string>>();
  for (const leafFolder of folders) {
    for (let folder = leafFolder; folder !== ''; folder = folderOf(folder)) {
      const parent = folderOf(folder);
      const siblingFolders = children.get(parent) ?? new Set();
      if (siblingFolders.has(posix.basename(folder))) break;
      children.set(parent, siblingFolders.add(posix.basename(folder)));
    }
  }
  const sorted = new Map<string, readonly string[]>();
  for (const [folder, names] of children)
    sorted.set(
      folder,
      sortedBy([...names], (name) => name),
    );
  return sorted;
}

/** Orders parents before children. */
export function fromTheTop(folders: Iterable<string>): readonly string[] {
  const levels: string[][] = [];
  for (const folder of folders) {
    const depth = folder === '' ? 0 : folder.split('/').length;
    while (levels.length <= depth) levels.push([]);
    levels[depth]?.push(folder);
  }
  return levels.flat();
}

/** Returns the first result for the folder or its ancestors. */
export function nearest<Found>(
  folder: string,
  find: (folder: string) => Found | undefined,
): Found | undefined {
  for (let ancestor = folder; ; ancestor = folderOf(ancestor)) {
    const match = find(ancestor);
    if (match !== undefined || ancestor === '') return match;
  }
}

/** Returns the folder of a key; empty at the top. */
export const folderOf = (key: string): string => {
  const cut = key.lastIndexOf('/');
  return cut === -1 ? '' : key.slice(0, cut);
};
