import { posix } from 'node:path';
import { add, createPage, groupInPages, type Page, sortInPages } from '../pages.ts';
import { foldersBeside } from '../together/beside.ts';
import { type DataSet, dataSetsOf } from '../together/data-set.ts';
import { childFolders, folderOf, fromTheTop, nearest } from './folders.ts';
import { isKind, type Loose, type Nature, natureOf, needOf, type Sight, type Sorted } from './natures.ts';
import { settle } from './settle.ts';

/**
 * Sorts the files of a source by kind of data. Each key is in exactly one unit, or in the rest; in which
 * order they come plays no part.
 */
export async function sortByKind(
  keys: readonly string[],
  sight: Sight,
  page = createPage(),
): Promise<Sorted> {
  const sorted = await sortInPages(keys, (key) => key, page);
  const byFolder = await groupInPages(sorted, folderOf, page);
  const withTileset = new Set<string>();
  for (const key of sorted) {
    if (posix.basename(key).toLowerCase() === 'tileset.json') withTileset.add(folderOf(key));
    if (page.isFull()) await page.turn();
  }
  const loose: Loose[] = [];
  const claims = new Map<string, Loose>();
  const foldersIn = await childFolders(byFolder.keys(), page);
  for (const folder of await fromTheTop(byFolder.keys(), page)) {
    const own = byFolder.get(folder) ?? [];
    const owner = nearest(folder, (one) => claims.get(one));
    if (withTileset.has(folder) && owner?.nature !== '3DTILES') {
      const tileset: Loose = { nature: '3DTILES', primary: folder, keys: [...own] };
      loose.push(tileset);
      claims.set(folder, tileset);
    } else if (owner) add(owner.keys, own);
    else add(loose, await setsIn(folder, own, foldersIn.get(folder) ?? [], claims, sight, page));
    if (page.isFull()) await page.turn();
  }
  return settle(loose, sight, page);
}

/** What is in one folder; folders that belong to one of its files whole are claimed. */
async function setsIn(
  folder: string,
  keys: readonly string[],
  folders: readonly string[],
  claims: Map<string, Loose>,
  sight: Sight,
  page: Page,
): Promise<readonly Loose[]> {
  const keyOf = new Map<string, string>();
  const names: string[] = [];
  for (const key of keys) {
    const name = key.slice(key.lastIndexOf('/') + 1);
    keyOf.set(name, key);
    names.push(name);
    if (page.isFull()) await page.turn();
  }
  const { sets, lone } = await dataSetsOf(names, page);
  const at = (name: string) => keyOf.get(name) ?? name;
  const byNeed: { readonly nature: Nature; readonly set: DataSet }[][] = [];
  for (const set of sets) {
    const nature = natureOf(at(set.primary), set.companions, sight);
    while (byNeed.length <= needOf(nature)) byNeed.push([]);
    byNeed[needOf(nature)]?.push({ nature, set });
    if (page.isFull()) await page.turn();
  }
  const taken = new Set<string>();
  const loose: Loose[] = [];
  for (const found of byNeed) {
    for (const { nature, set } of found) {
      const primary = at(set.primary);
      const one: Loose = { nature, primary, keys: [primary] };
      for (const name of set.companions) {
        if (!taken.has(name)) one.keys.push(at(name));
        taken.add(name);
      }
      loose.push(one);
      for (const beside of isKind(nature) ? foldersBeside(set.primary, folders) : []) {
        const place = folder === '' ? beside : `${folder}/${beside}`;
        if (!claims.has(place)) claims.set(place, one);
      }
      if (page.isFull()) await page.turn();
    }
  }
  for (const name of lone) {
    loose.push({ nature: 'note', primary: at(name), keys: [at(name)] });
    if (page.isFull()) await page.turn();
  }
  return loose;
}
