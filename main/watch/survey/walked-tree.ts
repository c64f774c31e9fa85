import { join } from 'node:path';
import { neverDataVersion, patternsOfVersion } from '../../source/left-out/never-data.ts';
import { createPage } from '../../source/pages.ts';
import { toKey, unpackFiles } from '../../source/walk/read-folder.ts';
import { scanWorkerSource, walkFolders } from '../../source/walk/scan-workers.ts';
import type { WatchRule } from '../rule.ts';
import { gitignoreFor, placeIn } from './left-out.ts';
import { Listing, placeBelow, type Tree, type UnreadablePlace, type WatchedFile } from './tree.ts';

export interface WalkOptions {
  readonly signal?: AbortSignal;
  /** The file that a scan’s worker threads run. Default: the source, for plain Node. */
  readonly worker?: URL;
  /** Version of the tables of what is never data and of what belongs together, which grow together. Default: the newest. */
  readonly table?: number;
}

/** Everything below a place, read in worker threads: what takes a second for 100,000 files holds up nothing. */
export async function walkTree(rule: WatchRule, top: string, options: WalkOptions = {}): Promise<Tree> {
  const { signal, worker = scanWorkerSource, table = neverDataVersion } = options;
  const folders = new Map<string, { files: string[]; folders: string[]; links: string[] }>();
  const files = new Map<string, WatchedFile>();
  const unreadable: UnreadablePlace[] = [];
  const placeOf = (path: string) => placeIn(rule.folder, path) ?? '';
  const at = (place: string) => {
    const known = folders.get(place) ?? { files: [], folders: [], links: [] };
    folders.set(place, known);
    return known;
  };
  await walkFolders([{ path: join(rule.folder, top), keyPrefix: top === '' ? '' : `${toKey(top)}/` }], {
    worker,
    signal,
    ignorePatterns: patternsOfVersion(table),
    gitignore: gitignoreFor(rule, rule.folder),
    detailed: true,
    onContent: (content) => {
      const folder = placeOf(content.path);
      const here = at(folder);
      const { root, ctimesMs, allocated } = content.files;
      for (const [index, { path, size, mtimeMs }] of unpackFiles(content.files).entries()) {
        const name = path.slice(root.length);
        const place = placeBelow(folder, name);
        here.files.push(name);
        files.set(place, {
          place,
          size,
          mtimeMs,
          ctimeMs: ctimesMs[index] ?? 0,
          allocated: allocated[index] ?? 0,
        });
      }
      for (const { path, names } of content.tasks) {
        if (!names) here.folders.push(path.slice(root.length));
      }
      for (const path of content.links) here.links.push(path.slice(root.length));
      for (const { path, reason } of content.unreadable) {
        unreadable.push({ place: placeOf(path), reason });
        // Its name still counts: a data set is not to be taken without a file that only can't be read.
        if (path !== content.path) here.files.push(path.slice(root.length));
      }
    },
  });
  const listings = new Map<string, Listing>();
  const page = createPage(signal);
  for (const [place, names] of folders) {
    listings.set(place, new Listing(names.files, names.folders, names.links));
    if (page.isFull()) await page.turn();
  }
  return {
    unreadable,
    looked: () => listings,
    folder: async (place) => listings.get(place) ?? null,
    file: async (place) => files.get(place) ?? null,
  };
}

/** A tree of which one branch has been walked already. */
export function withBranch(tree: Tree, top: string, branch: Tree): Tree {
  const of = (place: string) => (top === '' || place === top || place.startsWith(`${top}/`) ? branch : tree);
  return {
    folder: (place) => of(place).folder(place),
    file: (place) => of(place).file(place),
    looked: () => [...tree.looked(), ...branch.looked()],
    get unreadable() {
      return [...tree.unreadable, ...branch.unreadable];
    },
  };
}
