import { join, posix } from 'node:path';
import type { SourceFile } from '../../files/model.ts';
import { toKey } from '../../files/paths.ts';
import { sortedBy } from '../../files/places.ts';
import type { FoundSource } from '../model.ts';
import type { Pause } from '../pause.ts';
import { createSums } from './identity.ts';
import type { Tree, WatchedFile } from './tree.ts';

/** A source with what its settling is judged by. */
export interface SurveyedSource extends FoundSource {
  /** Bytes that each file has on the disk, in the order of `files`; NaN where the system doesn't say. */
  readonly allocated: readonly number[];
  /** Relative paths that its files name and that are not there (yet). */
  readonly missing: readonly string[];
  /** As `digest`, but blind to changes of permissions and owners. */
  readonly dataDigest: string;
}

/** Which files a source is made of, before they were looked at. */
export interface SourcePlan {
  /** The place that it is called by. */
  readonly place: string;
  /** Single files. */
  readonly files: readonly string[];
  /** Folders with everything in them. */
  readonly folders: readonly string[];
  /** Keys are relative to this one. */
  readonly keysFrom: string;
  /** Its own name without ending, where that stands in the names of its files. */
  readonly stem: string | null;
  readonly missing: readonly string[];
  /** A file that is not sent, but makes another source of it when it is written again. */
  readonly trigger?: WatchedFile;
  /** Nobody can say that what can't be read, wherever it is, is no part of it. */
  readonly spoiltByAny?: boolean;
}

/** Whether what is at a place, or is missing there, is asked about. */
export type IsWanted = (place: string) => boolean;

/** Whether anything of a source is asked about. */
export const concerns = ({ files, folders, missing }: SourcePlan, isWanted: IsWanted): boolean =>
  [files, folders, missing].some((places) => places.some(isWanted));

/** Null when it has no files. */
export async function toSource(
  root: string,
  plan: SourcePlan,
  tree: Tree,
  pause: Pause,
): Promise<SurveyedSource | null> {
  const found = await filesOf(plan, tree, pause);
  if (found.length === 0) return null;
  const from = plan.keysFrom === '' ? 0 : plan.keysFrom.length + 1;
  const keyed = found.map((file) => ({ file, key: toKey(file.place.slice(from)) }));
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
  const found: WatchedFile[] = [];
  const take = async (place: string) => {
    const file = await tree.file(place);
    if (file) found.push(file);
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
  return found;
}
