import { join, posix } from 'node:path';
import type { SourceFile } from '../../files/model.ts';
import { toKey } from '../../files/paths.ts';
import { sortedBy } from '../../files/places.ts';
import type { FoundSource } from '../model/model.ts';
import type { Pause } from '../model/pause.ts';
import { createSums } from './identity.ts';
import type { Tree, WatchedFile } from './tree.ts';

/** A source and the facts that judge its settling. */
export interface SurveyedSource extends FoundSource {
  /** Per file; NaN if unknown. */
  readonly allocated: readonly number[];
  /** Referenced relative paths that don't exist (yet). */
  readonly missing: readonly string[];
  /** Like `digest`, without changes of permissions and owners. */
  readonly dataDigest: string;
}

/** The files of a source before they are read. */
export interface SourcePlan {
  readonly place: string;
  readonly files: readonly string[];
  /** Folders are complete, including all subfolders. */
  readonly folders: readonly string[];
  readonly keysFrom: string;
  /** Its name without extension, if the files' names contain it. */
  readonly stem: string | null;
  readonly missing: readonly string[];
  /** Unsent; rewriting it makes another source. */
  readonly trigger?: WatchedFile;
  readonly spoiltByAny?: boolean;
}

/** Matches a path, which may be missing. */
export type IsWanted = (place: string) => boolean;

/** Whether any of its paths is wanted. */
export const concerns = ({ files, folders, missing }: SourcePlan, isWanted: IsWanted): boolean =>
  [files, folders, missing].some((places) => places.some(isWanted));

/** Reads the files of a plan; null without any. */
export async function toSource(
  root: string,
  plan: SourcePlan,
  tree: Tree,
  pause: Pause,
): Promise<SurveyedSource | null> {
  const watchedFiles = await filesOf(plan, tree, pause);
  if (watchedFiles.length === 0) return null;
  const keyStart = plan.keysFrom === '' ? 0 : plan.keysFrom.length + 1;
  const keyed = watchedFiles.map((file) => ({ file, key: toKey(file.place.slice(keyStart)) }));
  await pause();
  const sorted = sortedBy(keyed, ({ key }) => key);
  const sums = await createSums(plan, sorted, pause);
  const files: SourceFile[] = [];
  let bytes = 0;
  for (const { file, key } of sorted) {
    const { place, size, mtimeMs } = file;
    files.push({ path: join(root, place), key, size, mtimeMs });
    bytes += size;
    sums.add(key, file);
    await pause();
  }
  return {
    path: plan.place === '' ? '.' : toKey(plan.place),
    paths: [...plan.files, ...plan.folders].sort().map((place) => join(root, place)),
    keysFrom: join(root, plan.keysFrom),
    files,
    bytes,
    ...sums.digests(),
    allocated: sorted.map(({ file }) => file.allocated),
    missing: plan.missing,
  };
}

async function filesOf(plan: SourcePlan, tree: Tree, pause: Pause): Promise<readonly WatchedFile[]> {
  const watchedFiles: WatchedFile[] = [];
  const take = async (place: string) => {
    const file = await tree.file(place);
    if (file) watchedFiles.push(file);
    await pause();
  };
  for (const place of plan.files) await take(place);
  const folders = [...plan.folders];
  for (const folder of folders) await tree.readBelow(folder);
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listing = await tree.folder(folder);
    for (const name of listing?.files ?? []) await take(posix.join(folder, name));
    for (const name of listing?.folders ?? []) folders.push(posix.join(folder, name));
  }
  return watchedFiles;
}
