import { lstat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { isOnlyInCloud } from '../../files/left-out/cloud-files.ts';
import { type DataSet, stemOf } from '../../inspect/together/data-set.ts';
import { foldersBeside, missingBeside } from '../../inspect/together/files-beside.ts';
import { bytesForReferences, hasReferences, type References } from '../../inspect/together/references.ts';
import type { Pause } from '../../work-line.ts';
import { concerns, type IsWanted, type SourcePlan } from './found-source.ts';
import { isMissing, placeBelow, type Tree } from './tree.ts';

export interface GatherOptions extends FollowOptions {
  readonly gathered?: Gathered;
}

/** Plans of data sets with references, by place. */
export type Gathered = Map<string, SourcePlan>;

/**
 * Plans a data set with all files that it references in the watched folder. Keys are relative to the folder
 * of its primary file, or to the nearest parent of all files.
 *
 * @param isWanted possibly changed paths; a set without them comes from the cache
 */
export async function gather(
  folder: string,
  set: DataSet,
  options: GatherOptions,
  isWanted: IsWanted | null = null,
): Promise<SourcePlan> {
  const { tree, pause, gathered } = options;
  await pause();
  const cached = isWanted && gathered?.get(placeBelow(folder, set.primary));
  if (cached && !isWanted(cached.place) && !concerns(cached, isWanted)) return cached;
  const listing = await tree.folder(folder);
  const folders = foldersBeside(set.primary, listing?.folders ?? []).map((name) => placeBelow(folder, name));
  const ownNames = [set.primary, ...set.companions];
  const places = ownNames.map((name) => placeBelow(folder, name));
  const isOwn = (file: string) => places.includes(file) || isBelow(file, folders);
  const followed = await follow(places, isOwn, options);
  const files = [...new Set([...places, ...followed.files])].filter((file) => !isBelow(file, folders));
  const missingSidecars = missingBeside(ownNames).map((name) => placeBelow(folder, name));
  const plan: SourcePlan = {
    place: placeBelow(folder, set.primary),
    files,
    folders,
    keysFrom: around([...files, ...folders.map((whole) => `${whole}/`)]),
    stem: stemOf(set.primary),
    missing: [...new Set([...followed.missing, ...missingSidecars])].sort(),
  };
  if (places.some((place) => hasReferences(place))) gathered?.set(plan.place, plan);
  return plan;
}

/**
 * Plans a folder with its content and the outside files that it references. Nothing is outside the whole
 * watched folder (empty `place`).
 */
export async function gatherFolder(place: string, options: GatherOptions): Promise<SourcePlan> {
  const plan = { place, files: [], folders: [place], keysFrom: place, stem: null, missing: [] };
  await options.tree.readBelow(place);
  const { naming, missing } = await findBelow(place, options);
  const isOwn = (file: string) => place === '' || isBelow(file, [place]);
  const followed = await follow(naming, isOwn, options);
  const files = followed.files.filter((file) => !isOwn(file));
  return {
    ...plan,
    files,
    keysFrom: files.length === 0 ? place : around([...files, `${place}/`]),
    missing: [...new Set([...followed.missing, ...missing])].sort(),
  };
}

/** Returns files that may have references, sorted, and missing sidecars. */
async function findBelow(place: string, { tree, pause }: GatherOptions) {
  const naming: string[] = [];
  const missing: string[] = [];
  const folders = [place];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listing = await tree.folder(folder);
    if (!listing) continue;
    for (const name of listing.files) {
      if (hasReferences(name)) naming.push(placeBelow(folder, name));
      await pause();
    }
    for (const name of missingBeside(listing.files)) missing.push(placeBelow(folder, name));
    for (const name of listing.folders) folders.push(placeBelow(folder, name));
  }
  return { naming: naming.sort(), missing };
}

const isBelow = (place: string, folders: readonly string[]): boolean =>
  folders.some((folder) => folder === '' || place.startsWith(`${folder}/`));

/** Returns the nearest common folder; the first place is a file. */
function around(places: readonly string[]): string {
  let folder = posix.dirname(places[0] ?? '');
  const holds = (place: string) => folder === '.' || place.startsWith(`${folder}/`);
  while (!places.every(holds)) folder = posix.dirname(folder);
  return folder === '.' ? '' : folder;
}

export interface FollowOptions {
  readonly root: string;
  readonly tree: Tree;
  readonly references: References;
  readonly pause: Pause;
  /** Whether referenced files belong only to files of these names. Default: always. */
  readonly mayClaim?: ((names: readonly string[]) => boolean) | undefined;
}

interface Followed {
  readonly files: readonly string[];
  readonly missing: readonly string[];
}

/** Limits per source. The first tiles of a scene of 100,000 are representative. */
const maxRead = 2_000;
const maxBytes = 512 * 1024 * 1024;
/** The source waits for the first one anyway. */
const maxMissing = 200;

/**
 * Returns the files that these files reference anywhere in the watched folder. The order is fixed, so that
 * two scans give the same result.
 *
 * @param isOwn matches files that belong to the source anyway
 */
export async function follow(
  places: Iterable<string>,
  isOwn: (place: string) => boolean,
  options: FollowOptions,
): Promise<Followed> {
  const { root, tree, references, pause } = options;
  const files = new Set<string>();
  const missing = new Set<string>();
  const toRead = new Set<string>();
  for (const place of places) if (hasReferences(place)) toRead.add(place);
  let [count, bytes] = [0, 0];
  for (const place of toRead) {
    await pause();
    const file = await tree.file(place);
    const path = join(root, place);
    // Reading would download it; the rule decides about that later.
    if (!file || isOnlyInCloud(path, file.size, file.allocated)) continue;
    count += 1;
    bytes += bytesForReferences(place, file.size);
    if (count > maxRead || bytes > maxBytes) break;
    for (const written of await references.read({ ...file, path, folder: root })) {
      await pause();
      const target = (await tree.find(written, 'file'))?.place;
      if (target !== undefined) {
        if (files.has(target) || !(isOwn(target) || (await comesAlong(target, options)))) continue;
        files.add(target);
        if (hasReferences(target)) toRead.add(target);
      } else if (missing.size < maxMissing && (await isGone(join(root, written)))) missing.add(written);
    }
  }
  return { files: [...files], missing: [...missing] };
}

/** Files only in the cloud are checked after their download. */
async function comesAlong(place: string, { root, tree, references }: FollowOptions): Promise<boolean> {
  const file = await tree.file(place);
  const path = join(root, place);
  if (!file || isOnlyInCloud(path, file.size, file.allocated)) return file !== null;
  return references.hasContent({ ...file, path, folder: root });
}

/** Existing but excluded files aren't waited for. */
async function isGone(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    return isMissing(error);
  }
}
