import { posix } from 'node:path';
import { add, groupPlaces, sortedBy } from '../../files/places.ts';
import { type DataSet, dataSetsOf } from '../together/data-set.ts';
import { foldersBeside } from '../together/files-beside.ts';
import {
  type ContentFacts,
  type FileClass,
  FileSet,
  fileClassOf,
  isKind,
  type KeyedFiles,
  keyAt,
  type Sorted,
  sidecarRank,
} from './file-classes.ts';
import { childFolders, folderOf, fromTheTop, nearest } from './folders.ts';
import { settle } from './settle.ts';

/** Sorts files by kind, independent of their order. Each is in exactly one unit or in the rest. */
export function sortByKind(files: KeyedFiles, contentFacts: ContentFacts): Sorted {
  const byFolder = groupPlaces(files, ({ key }) => folderOf(key));
  const withTileset = new Set<string>();
  for (const { key } of files) {
    if (posix.basename(key).toLowerCase() === 'tileset.json') withTileset.add(folderOf(key));
  }
  const loose: FileSet[] = [];
  const claims = new Map<string, FileSet>();
  // In key order, hence the slash.
  const folders = sortedBy([...byFolder.keys()], (folder) => `${folder}/`);
  const foldersIn = childFolders(folders);
  for (const folder of fromTheTop(folders)) {
    const folderPlaces = byFolder.get(folder) ?? [];
    byFolder.delete(folder);
    const sortedPlaces = sortedBy(folderPlaces, (place) => keyAt(files, place));
    const owner = nearest(folder, (ancestor) => claims.get(ancestor));
    if (withTileset.has(folder) && owner?.fileClass !== '3DTILES') {
      const tileset = new FileSet('3DTILES', files, folder, [...sortedPlaces]);
      loose.push(tileset);
      claims.set(folder, tileset);
    } else if (owner) add(owner.files, sortedPlaces);
    else add(loose, setsIn(files, folder, sortedPlaces, foldersIn.get(folder) ?? [], claims, contentFacts));
  }
  return settle(files, loose, contentFacts);
}

/** Returns the sets in a folder and claims subfolders that belong to one of its files. */
function setsIn(
  files: KeyedFiles,
  folder: string,
  places: readonly number[],
  folders: readonly string[],
  claims: Map<string, FileSet>,
  contentFacts: ContentFacts,
): readonly FileSet[] {
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
  const placeAt = (name: string) => placeOf.get(name) ?? 0;
  const byNeed: { readonly fileClass: FileClass; readonly set: DataSet }[][] = [];
  for (const set of sets) {
    const fileClass = fileClassOf(keyOf(set.primary), set.companions, contentFacts);
    while (byNeed.length <= sidecarRank(fileClass)) byNeed.push([]);
    byNeed[sidecarRank(fileClass)]?.push({ fileClass, set });
  }
  const assignedNames = new Set<string>();
  const loose: FileSet[] = [];
  for (const candidates of byNeed) {
    for (const { fileClass, set } of candidates) {
      const companions = set.companions.filter((name) => !assignedNames.has(name));
      for (const name of companions) assignedNames.add(name);
      const place = placeAt(set.primary);
      const fileSet = new FileSet(fileClass, files, place, [place, ...companions.map(placeAt)]);
      loose.push(fileSet);
      for (const ownedFolder of isKind(fileClass) ? foldersBeside(set.primary, folders) : []) {
        const claimed = keyOf(ownedFolder);
        if (!claims.has(claimed)) claims.set(claimed, fileSet);
      }
    }
  }
  for (const name of lone) {
    loose.push(new FileSet('note', files, placeAt(name), [placeAt(name)]));
  }
  return loose;
}
