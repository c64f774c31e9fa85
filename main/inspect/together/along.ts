import { lstat, opendir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { isOnlyInCloud } from '../../files/left-out/cloud-files.ts';
import { blockSize } from '../../files/walk/read-folder.ts';
import { dataSetsOf } from './data-set.ts';
import { mayLeadOn, type References } from './references.ts';

/** What lies on disk beside a single file and belongs to it: paths, absolute. */
export interface Along {
  /** Sidecars, volumes and the like: by their names, as the listing has them. */
  readonly beside: readonly string[];
  /** What the file and those beside it name, and what that names: in the same folder or below it. */
  readonly named: readonly string[];
}

/** Names of one folder; of more nothing is told. */
const maxNames = 20_000;
/** Files that are read for what they name, and names that are looked for. */
const [maxRead, maxLooked] = [200, 2_000];

/**
 * What belongs to files that were given singly, as far as it lies in their own folder or below it. Never
 * anything above; no link is followed, an absolute name least of all; what only a cloud service has is not
 * read. Nothing for what can't be looked at.
 *
 * @param folder of the files, absolute
 * @param names of the files in it, not of links
 */
export async function filesAlong(
  folder: string,
  names: readonly string[],
  references: References,
): Promise<ReadonlyMap<string, Along>> {
  const listed = await namesIn(folder);
  const companions = new Map(dataSetsOf(listed).sets.map(({ primary, companions }) => [primary, companions]));
  const along = new Map<string, Along>();
  for (const name of names) {
    const beside = (companions.get(name) ?? []).filter((companion) => !companion.startsWith('.'));
    const own = new Set([name, ...beside]);
    const named = await follow(folder, own, references);
    const pathOf = (place: string) => join(folder, place);
    along.set(name, { beside: beside.map(pathOf), named: named.map(pathOf) });
  }
  return along;
}

/** Files of a folder; none of one that is too large. */
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

/**
 * What the files in `own` name, and what that names, without them. Files are read in the order in which they
 * are found, so that two looks at the same files give the same.
 */
async function follow(
  folder: string,
  own: ReadonlySet<string>,
  references: References,
): Promise<readonly string[]> {
  /** Whether a named place is a file that comes along. */
  const isThere = new Map<string, boolean>([...own].map((place) => [place, true]));
  const toRead = new Set([...own].filter(mayLeadOn));
  let read = 0;
  for (const place of toRead) {
    const path = join(folder, place);
    const stats = await fileAt(folder, place);
    if (!stats || isOnlyInCloud(path, stats.size, stats.allocated)) continue;
    if (++read > maxRead) break;
    for (const name of await references.read({ ...stats, path, place })) {
      for (const one of placesOf(name, place)) {
        const known = isThere.get(one);
        if (known) break;
        if (known === false) continue;
        if (isThere.size >= maxLooked) break;
        const comes = await comesAlong(folder, one, references);
        isThere.set(one, comes);
        if (!comes) continue;
        if (mayLeadOn(one)) toRead.add(one);
        break;
      }
    }
  }
  return [...isThere].flatMap(([place, there]) => (there && !own.has(place) ? [place] : []));
}

/** What only a cloud service has can't be checked without fetching it, and stays where it is. */
async function comesAlong(folder: string, place: string, { hasContent }: References): Promise<boolean> {
  const stats = await fileAt(folder, place);
  const path = join(folder, place);
  return (
    stats !== null &&
    !isOnlyInCloud(path, stats.size, stats.allocated) &&
    hasContent({ ...stats, path, place })
  );
}

/**
 * `name`: as it leads from its file. Programs look for the pictures of a material library beside the model
 * too.
 */
function placesOf(name: string, from: string): readonly string[] {
  const besideModel = /\.mtl$/i.test(from) ? posix.relative(posix.dirname(from), name) : name;
  return besideModel === name || besideModel.startsWith('../') ? [name] : [name, besideModel];
}

/** A file that no link is on the way to; null for anything else. Junctions count as links. */
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
