import { posix } from 'node:path';
import { add, groupPlaces, sortedBy } from '../../files/places.ts';
import { foldersBeside } from '../together/files-beside.ts';
import { type DataSet, dataSetsOf } from '../together/data-set.ts';
import { childFolders, folderOf, fromTheTop, nearest } from './folders.ts';
import {
  FileSet,
  isKind,
  type KeyedFiles,
  keyAt,
  type Loose,
  type Nature,
  natureOf,
  needOf,
  type Sight,
  type Sorted,
} from './natures.ts';
import { settle } from './settle.ts';

/** Sorts files by kind, independent of their order. Each is in exactly one unit or in the rest. */
export function sortByKind(files: KeyedFiles, sight: Sight): Sorted {
  const byFolder = groupPlaces(files, ({ key }) => folderOf(key));
  const withTileset = new Set<string>();
  for (const { key } of files) {
    if (posix.basename(key).toLowerCase() === 'tileset.json') withTileset.add(folderOf(key));
  }
  const loose: Loose[] = [];
  const claims = new Map<string, Loose>();
  // In key order, hence the slash.
  const folders = sortedBy([...byFolder.keys()], (folder) => `${folder}/`);
  const foldersIn = childFolders(folders);
  for (const folder of fromTheTop(folders)) {
    const found = byFolder.get(folder) ?? [];
    byFolder.delete(folder);
    const own = sortedBy(found, (one) => keyAt(files, one));
    const owner = nearest(folder, (one) => claims.get(one));
    if (withTileset.has(folder) && owner?.nature !== '3DTILES') {
      const tileset = new FileSet('3DTILES', files, folder, [...own]);
      loose.push(tileset);
      claims.set(folder, tileset);
    } else if (owner) add(owner.files, own);
    else add(loose, setsIn(files, folder, own, foldersIn.get(folder) ?? [], claims, sight));
  }
  return settle(files, loose, sight);
}

/** Returns the sets in a folder and claims subfolders that belong to one of its files. */
function setsIn(
  files: KeyedFiles,
  folder: string,
  places: readonly number[],
  folders: readonly string[],
  claims: Map<string, Loose>,
  sight: Sight,
): readonly Loose[] {
  const placeOf = new Map<string, number>();
  const names: string[] = [];
  for (const place of places) {
    const key = keyAt(files, place);
    const name = key.slice(key.lastIndexOf('/') + 1);
    placeOf.set(name, place);
    names.push(name);
  }
  const { sets, lone } = dataSetsOf(names);
  const keyOf = (name: string) => (folder === '' ? name : `${folder}/${name}`);
  const at = (name: string) => placeOf.get(name) ?? 0;
  const byNeed: { readonly nature: Nature; readonly set: DataSet }[][] = [];
  for (const set of sets) {
    const nature = natureOf(keyOf(set.primary), set.companions, sight);
    while (byNeed.length <= needOf(nature)) byNeed.push([]);
    byNeed[needOf(nature)]?.push({ nature, set });
  }
  const taken = new Set<string>();
  const loose: Loose[] = [];
  for (const found of byNeed) {
    for (const { nature, set } of found) {
      const companions = set.companions.filter((name) => !taken.has(name));
      for (const name of companions) taken.add(name);
      const place = at(set.primary);
      const one = new FileSet(nature, files, place, [place, ...companions.map(at)]);
      loose.push(one);
      for (const beside of isKind(nature) ? foldersBeside(set.primary, folders) : []) {
        const claimed = keyOf(beside);
        if (!claims.has(claimed)) claims.set(claimed, one);
      }
    }
  }
  for (const name of lone) {
    loose.push(new FileSet('note', files, at(name), [at(name)]));
  }
  return loose;
}
