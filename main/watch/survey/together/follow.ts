import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { isOnlyInCloud } from '../../../files/left-out/cloud-files.ts';
import { bytesForReferences, hasReferences, type References } from '../../../inspect/together/references.ts';
import type { Pause } from '../../pause.ts';
import { isMissing, placeBelow, type Tree } from '../tree.ts';

export interface FollowOptions {
  readonly root: string;
  readonly tree: Tree;
  readonly references: References;
  readonly pause: Pause;
  /** Whether what files of these names name belongs to them and to nothing else. Default: always. */
  readonly mayClaim?: ((names: readonly string[]) => boolean) | undefined;
}

interface Followed {
  /** Places of all that is named, and of what that names. */
  readonly files: readonly string[];
  /** Places that are named and where nothing is. */
  readonly missing: readonly string[];
}

/**
 * Files of one source that are read for what they name, and the bytes of them. In a scene of 100,000 tiles
 * the first ones tell what the others would.
 */
const maxRead = 2_000;
const maxBytes = 512 * 1024 * 1024;
/** Of what is missing no more is looked for: the source waits for the first. */
const maxMissing = 200;

/**
 * What these files name, wherever in the watched folder it is. They are read in their order, so that two
 * looks at the same files give the same.
 *
 * @param isOwn tells what belongs to the source anyway, whatever it holds
 */
export async function follow(
  places: Iterable<string>,
  isOwn: (place: string) => boolean,
  options: FollowOptions,
): Promise<Followed> {
  const { root, tree, references, pause } = options;
  const files = new Set<string>();
  const missing = new Set<string>();
  // Files that are found on the way are added to the set and looked at in their turn.
  const toRead = new Set<string>();
  for (const place of places) if (hasReferences(place)) toRead.add(place);
  let [count, bytes] = [0, 0];
  for (const place of toRead) {
    await pause();
    const file = await tree.file(place);
    const path = join(root, place);
    // Reading it would fetch it: that is for the rule to say, and done before it is taken.
    if (!file || isOnlyInCloud(path, file.size, file.allocated)) continue;
    count += 1;
    bytes += bytesForReferences(place, file.size);
    if (count > maxRead || bytes > maxBytes) break;
    for (const written of await references.read({ ...file, path })) {
      await pause();
      const found = await findFile(tree, written);
      if (found !== undefined) {
        if (files.has(found) || !(isOwn(found) || (await comesAlong(found, options)))) continue;
        files.add(found);
        if (hasReferences(found)) toRead.add(found);
      } else if (missing.size < maxMissing && (await isGone(join(root, written)))) missing.add(written);
    }
  }
  return { files: [...files], missing: [...missing] };
}

/** What only a cloud service has is checked once it was fetched. */
async function comesAlong(place: string, { root, tree, references }: FollowOptions): Promise<boolean> {
  const file = await tree.file(place);
  const path = join(root, place);
  if (!file || isOnlyInCloud(path, file.size, file.allocated)) return file !== null;
  return references.hasContent({ ...file, path });
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
