import { lstat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { appearanceFolders, type DataSet, stemOf } from './data-set.ts';
import type { SourcePlan } from './found-source.ts';
import type { Page } from './pages.ts';
import { hasReferences, type ReadReferences } from './references.ts';
import { isMissing, placeBelow, type Tree } from './tree.ts';

export interface GatherOptions {
  readonly root: string;
  readonly tree: Tree;
  readonly readReferences: ReadReferences;
  readonly page: Page;
}

/**
 * A data set with everything that its files name, wherever in the watched folder it lies. Keys are relative to the folder of its primary file, or to the
 * nearest one around it that holds all the files.
 */
export async function gather(folder: string, set: DataSet, options: GatherOptions): Promise<SourcePlan> {
  const { tree, page } = options;
  if (page.isFull()) await page.turn();
  const listing = await tree.folder(folder);
  const folders = appearanceFolders(set.primary, listing?.folders ?? []).map((name) =>
    placeBelow(folder, name),
  );
  const files = new Set([set.primary, ...set.companions].map((name) => placeBelow(folder, name)));
  const missing: string[] = [];
  // Files that are found on the way are added to the set and looked at in their turn.
  for (const place of files) {
    for (const written of await namedBy(place, options)) {
      const found = await findFile(tree, written);
      if (found !== undefined) files.add(found);
      else if (await isGone(join(options.root, written))) missing.push(written);
    }
  }
  return {
    place: placeBelow(folder, set.primary),
    files: [...files],
    folders,
    keysFrom: around([...files, ...folders.map((whole) => `${whole}/`)]),
    stem: stemOf(set.primary),
    missing: missing.sort(),
  };
}

async function namedBy(
  place: string,
  { root, tree, readReferences }: GatherOptions,
): Promise<readonly string[]> {
  if (!hasReferences(place)) return [];
  const file = await tree.file(place);
  return file ? readReferences({ ...file, path: join(root, place) }) : [];
}

/** As the disk spells it. */
async function findFile(tree: Tree, written: string): Promise<string | undefined> {
  const names = written.split('/');
  const last = names.pop() ?? '';
  let folder = '';
  for (const name of names) {
    const found = (await tree.folder(folder))?.find(name, 'folders');
    if (found === undefined) return;
    folder = placeBelow(folder, found);
  }
  const found = (await tree.folder(folder))?.find(last, 'files');
  return found === undefined ? undefined : placeBelow(folder, found);
}

/** What is there but left out is not waited for. */
async function isGone(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    return isMissing(error);
  }
}

function around(places: readonly string[]): string {
  let folder = posix.dirname(places[0] ?? '');
  const holds = (place: string) => folder === '.' || place.startsWith(`${folder}/`);
  while (!places.every(holds)) folder = posix.dirname(folder);
  return folder === '.' ? '' : folder;
}
