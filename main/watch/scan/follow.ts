import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { isOnlyInCloud } from '../../files/left-out/cloud-files.ts';
import { bytesForReferences, hasReferences, type References } from '../../inspect/together/references.ts';
import type { Pause } from '../model/pause.ts';
import { isMissing, placeBelow, type Tree } from './tree.ts';

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
    for (const written of await references.read({ ...file, path })) {
      await pause();
      const target = await findFile(tree, written);
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
  return references.hasContent({ ...file, path });
}

/** In the disk's spelling. */
async function findFile(tree: Tree, written: string): Promise<string | undefined> {
  const names = written.split('/');
  const fileName = names.pop() ?? '';
  let folder = '';
  for (const name of names) {
    const subfolder = (await tree.folder(folder))?.find(name, 'folders');
    if (subfolder === undefined) return;
    folder = placeBelow(folder, subfolder);
  }
  const match = (await tree.folder(folder))?.find(fileName, 'files');
  return match === undefined ? undefined : placeBelow(folder, match);
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
