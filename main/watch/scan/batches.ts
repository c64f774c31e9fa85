import { createIsDerived } from '../../files/left-out/derived-files.ts';
import { toKey } from '../../files/paths.ts';
import type { Listing } from '../../files/walk/listing.ts';
import { type DataSets, dataSetsOf } from '../../inspect/together/data-set.ts';
import { missingBeside } from '../../inspect/together/files-beside.ts';
import { hasReferences } from '../../inspect/together/references.ts';
import type { Pause } from '../../work-line.ts';
import type { SourcePlan } from './found-source.ts';
import { follow, type GatherOptions, gather, gatherFolder } from './gather.ts';
import { placeBelow } from './tree.ts';

/** One asset from all new files, once nothing has arrived for the settle time. */

/** A watched folder's known batches. */
export interface Batches {
  /** The batch of a file (ledger path), by its key: relative to the watched folder, NFC. */
  readonly ofFile: ReadonlyMap<string, string>;
  readonly nextPath: string;
  /** Ledger paths of sources under another unit, which stay separate. */
  readonly otherPaths: readonly string[];
}

export type KnownBatches = (pause: Pause) => Promise<Batches>;

export const noBatches: KnownBatches = async () => ({
  ofFile: new Map(),
  nextPath: './batch-1',
  otherPaths: [],
});

/** New files, until their batch has a path. */
const fresh = '';

/**
 * Plans every known batch with existing files, and one of all new files. A sidecar or derived file joins the
 * batch of its data, however late it arrives.
 */
export async function batchPlans(batches: Batches, options: GatherOptions): Promise<readonly SourcePlan[]> {
  const { tree, pause } = options;
  await tree.readBelow('');
  const separatePlans = await otherPlans(batches.otherPaths, options);
  const separate = apartOf(separatePlans);
  const groups = new Map<string, string[]>();
  const lone: string[] = [];
  const missingSidecars: { readonly owner: string; readonly place: string }[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listing = separate.folders.has(folder) ? null : await tree.folder(folder);
    if (!listing) continue;
    for (const name of listing.folders) folders.push(placeBelow(folder, name));
    const currentFolder = folder;
    const names = listing.files.filter((name) => !separate.files.has(placeBelow(currentFolder, name)));
    const owners = await ownersIn(currentFolder, names, batches, pause);
    for (const [name, owner] of owners) {
      await pause();
      if (owner === null) lone.push(placeBelow(currentFolder, name));
      else push(groups, owner, placeBelow(currentFolder, name));
    }
    for (const sidecar of missingIn(listing, owners))
      missingSidecars.push({ ...sidecar, place: placeBelow(currentFolder, sidecar.place) });
  }
  // An unreadable folder hasn't lost its files.
  for (const { place } of tree.unreadable)
    for (const path of ownersBelow(toKey(place), batches)) push(groups, path, place);
  const news = groups.get(fresh) ?? [];
  // A sidecar without its data joins the files that arrived with it, and waits while it is alone.
  const holdsData = await someData(news, pause);
  groups.delete(fresh);
  if (holdsData) groups.set(batches.nextPath, [...news, ...lone]);
  const plans: SourcePlan[] = [...separatePlans];
  for (const [path, files] of groups) {
    const isNew = path === batches.nextPath;
    const missing = missingSidecars
      .filter(({ owner }) => owner === (isNew ? fresh : path))
      .map(({ place }) => place);
    plans.push(await planOf(path, files, missing, isNew, options));
  }
  return plans;
}

async function planOf(
  path: string,
  files: readonly string[],
  missing: readonly string[],
  isNew: boolean,
  options: GatherOptions,
): Promise<SourcePlan> {
  const naming = files.filter((place) => hasReferences(place)).sort();
  // Only missing files count; existing ones are in a batch already.
  const followed = await follow(naming, () => true, options);
  return {
    place: path,
    files,
    folders: [],
    keysFrom: '',
    stem: null,
    missing: [...new Set([...missing, ...followed.missing])].sort(),
    // An unreadable path may belong to this batch.
    spoiltByAny: isNew,
  };
}

/** Maps each file in one folder to its batch; null for sidecars without their main file. */
async function ownersIn(
  folder: string,
  names: readonly string[],
  { ofFile }: Batches,
  pause: Pause,
): Promise<ReadonlyMap<string, string | null>> {
  const ownerOf = (name: string) => ofFile.get(toKey(placeBelow(folder, name)));
  const { sets, lone } = dataSetsOf(names);
  const owners = new Map<string, string | null>();
  for (const { primary, companions } of sets) {
    const owner = ownerOf(primary) ?? fresh;
    owners.set(primary, owner);
    // A sidecar of several data sets joins the earliest batch.
    for (const name of companions) owners.set(name, ownerOf(name) ?? (owners.get(name) || owner));
    await pause();
  }
  for (const name of lone) owners.set(name, ownerOf(name) ?? null);
  await giveDerived(owners, pause);
  return owners;
}

async function giveDerived(owners: Map<string, string | null>, pause: Pause): Promise<void> {
  const isDerived = createIsDerived((name) => owners.has(name));
  const derived = [...owners].filter(([name, owner]) => !owner && isDerived(name)).map(([name]) => name);
  if (derived.length === 0) return;
  const byStem = new Map<string, string>();
  for (const [name, owner] of owners) {
    if (owner) for (const stem of stemsOf(name)) byStem.set(stem, owner);
    await pause();
  }
  for (const name of derived) {
    const owner = [...stemsOf(name)]
      .map((stem) => byStem.get(stem))
      .find((candidate) => candidate !== undefined);
    if (owner !== undefined) owners.set(name, owner);
  }
}

/** Without extensions, longest first: `a.b.tif` gives `a.b` and `a`. */
function* stemsOf(name: string): Iterable<string> {
  const low = name.toLowerCase();
  for (let dot = low.lastIndexOf('.'); dot > 0; dot = low.lastIndexOf('.', dot - 1)) yield low.slice(0, dot);
}

/** Missing sidecars; `place` is a name in this folder. */
function* missingIn({ files }: Listing, owners: ReadonlyMap<string, string | null>) {
  const lowerNames = new Set(files.map((name) => name.toLowerCase()));
  const byOwner = new Map<string, string[]>();
  for (const [name, owner] of owners) if (owner !== null) push(byOwner, owner, name);
  for (const [owner, names] of byOwner)
    for (const place of missingBeside(names))
      if (!lowerNames.has(place.toLowerCase())) yield { owner, place };
}

async function someData(places: readonly string[], pause: Pause): Promise<boolean> {
  const allPlaces = new Set(places);
  const isDerived = createIsDerived((place) => allPlaces.has(place));
  for (const place of places) {
    if (!isDerived(place)) return true;
    await pause();
  }
  return false;
}

function ownersBelow(key: string, { ofFile }: Batches): ReadonlySet<string> {
  return new Set([...ofFile].flatMap(([file, path]) => (file.startsWith(`${key}/`) ? [path] : [])));
}

async function otherPlans(paths: readonly string[], options: GatherOptions): Promise<readonly SourcePlan[]> {
  const { tree, pause } = options;
  const plans: SourcePlan[] = [];
  const sets = new Map<string, DataSets>();
  for (const path of paths) {
    await pause();
    const entry = path === '.' ? undefined : await tree.find(path);
    if (!entry) continue;
    const { folder, name, place, isFolder } = entry;
    if (isFolder) {
      plans.push(await gatherFolder(place, options));
      continue;
    }
    const dataSets = sets.get(folder) ?? dataSetsOf((await tree.folder(folder))?.files ?? []);
    sets.set(folder, dataSets);
    const set = dataSets.sets.find(({ primary }) => primary === name);
    if (set) plans.push(await gather(folder, set, options));
  }
  return plans;
}

function apartOf(plans: readonly SourcePlan[]) {
  return {
    files: new Set(plans.flatMap(({ files }) => files)),
    folders: new Set(plans.flatMap(({ folders }) => folders)),
  };
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
