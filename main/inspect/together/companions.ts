import { lstat, opendir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { isOnlyInCloud } from '../../files/left-out/cloud-files.ts';
import { blockSize } from '../../files/walk/read-folder.ts';
import { dataSetsOf } from './data-set.ts';
import { mayLeadOn, type References } from './references.ts';

/** Neighbours that belong to a file: absolute paths. */
export interface Along {
  /** Sidecars, volumes and the like, by name. */
  readonly neighbors: readonly string[];
  /** Files referenced directly or indirectly, in the same folder or below it. */
  readonly references: readonly string[];
}

/** Larger folders are skipped. */
const maxNames = 20_000;
const [maxRead, maxLooked] = [200, 2_000];

/**
 * Finds files that belong to single files, in their folder or below. Follows no links or absolute names and
 * reads no cloud-only files.
 *
 * @param folder absolute
 * @param names of regular files in the folder
 */
export async function filesAlong(
  folder: string,
  names: readonly string[],
  references: References,
): Promise<ReadonlyMap<string, Along>> {
  const listed = await namesIn(folder);
  const companions = new Map(dataSetsOf(listed).sets.map(({ primary, companions }) => [primary, companions]));
  const companionsByName = new Map<string, Along>();
  for (const name of names) {
    const neighbors = (companions.get(name) ?? []).filter((companion) => !companion.startsWith('.'));
    const ownFiles = new Set([name, ...neighbors]);
    const referenced = await follow(folder, ownFiles, references);
    const pathOf = (place: string) => join(folder, place);
    companionsByName.set(name, { neighbors: neighbors.map(pathOf), references: referenced.map(pathOf) });
  }
  return companionsByName;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.isFile()) names.push(entry.name);
      if (names.length > maxNames) return [];
    }
  } catch {
    return [];
  }
  return names;
}

/** Returns direct and indirect references. Reads in discovery order so that results are stable. */
async function follow(
  folder: string,
  ownFiles: ReadonlySet<string>,
  references: References,
): Promise<readonly string[]> {
  const isThere = new Map<string, boolean>([...ownFiles].map((place) => [place, true]));
  const toRead = new Set([...ownFiles].filter(mayLeadOn));
  let read = 0;
  for (const place of toRead) {
    const path = join(folder, place);
    const stats = await fileAt(folder, place);
    if (!stats || isOnlyInCloud(path, stats.size, stats.allocated)) continue;
    if (++read > maxRead) break;
    for (const name of await references.read({ ...stats, path, place })) {
      for (const candidate of placesOf(name, place)) {
        const isKnown = isThere.get(candidate);
        if (isKnown) break;
        if (isKnown === false) continue;
        if (isThere.size >= maxLooked) break;
        const comes = await comesAlong(folder, candidate, references);
        isThere.set(candidate, comes);
        if (!comes) continue;
        if (mayLeadOn(candidate)) toRead.add(candidate);
        break;
      }
    }
  }
  return [...isThere].flatMap(([place, exists]) => (exists && !ownFiles.has(place) ? [place] : []));
}

/** Checking a cloud-only file would download it, so it doesn't come along. */
async function comesAlong(folder: string, place: string, { hasContent }: References): Promise<boolean> {
  const stats = await fileAt(folder, place);
  const path = join(folder, place);
  return (
    stats !== null &&
    !isOnlyInCloud(path, stats.size, stats.allocated) &&
    hasContent({ ...stats, path, place })
  );
}

/** Returns the places to try. Programs also search pictures of a material library in the model's folder. */
function placesOf(name: string, referencingFile: string): readonly string[] {
  const besideModel = /\.mtl$/i.test(referencingFile)
    ? posix.relative(posix.dirname(referencingFile), name)
    : name;
  return besideModel === name || besideModel.startsWith('../') ? [name] : [name, besideModel];
}

/** Null if the file isn't regular or its path contains a link or junction. */
async function fileAt(folder: string, place: string) {
  const names = place.split('/');
  try {
    for (const [index] of names.slice(1).entries())
      if (!(await lstat(join(folder, ...names.slice(0, index + 1)))).isDirectory()) return null;
    const stats = await lstat(join(folder, place));
    if (!stats.isFile()) return null;
    return { size: stats.size, mtimeMs: stats.mtimeMs, allocated: stats.blocks * blockSize };
  } catch {
    return null;
  }
}
