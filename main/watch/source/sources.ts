import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { createPathFits } from '../../upload/path-patterns.ts';
import { toKey } from '../../upload/read-folder.ts';
import type { WatchRule } from '../rule.ts';
import { type DataSet, dataSetsOf, extensionOf } from './data-set.ts';
import type { SourcePlan } from './found-source.ts';
import { type GatherOptions, gather } from './gather.ts';
import { hasReferences } from './references.ts';
import { factsOf, isMissing, placeBelow, type Tree } from './tree.ts';

/** What a rule makes sources of, and what waits without being one. */
export interface Plans {
  readonly plans: readonly SourcePlan[];
  /** Places of sidecars without anything that they belong to. */
  readonly lone: readonly string[];
}

const nothing: Plans = { plans: [], lone: [] };
const pictures = new Set(['jpg', 'jpeg', 'png', 'bmp', 'tga', 'webp', 'gif', 'dds', 'ktx2', 'tif', 'tiff']);

/**
 * Each top-level entry of the folder. A subfolder is one source with everything in it, a file one with its data set.
 *
 * What a model at the top names is part of it and no source of its own: pictures beside it, and a subfolder that holds nothing but pictures and
 * files that are named.
 */
export async function entryPlans(options: GatherOptions): Promise<Plans> {
  const top = await options.tree.folder('');
  if (!top) return nothing;
  const { sets, lone } = await dataSetsOf(top.files, options.page);
  const gathered: SourcePlan[] = [];
  for (const set of sets) gathered.push(await gather('', set, options));
  const claimed = new Set<string>();
  const claimedFolders = new Set<string>();
  for (const { place, files, folders } of gathered) {
    for (const file of files) if (file !== place && !hasReferences(file)) claimed.add(file);
    for (const folder of folders) claimedFolders.add(folder);
  }
  const plans = gathered.filter(({ place }) => !claimed.has(place));
  const touched = new Set(
    [...claimed].filter((place) => place.includes('/')).map((place) => place.split('/')[0]),
  );
  for (const name of top.folders) {
    const belongs =
      claimedFolders.has(name) || (touched.has(name) && (await holdsOnly(name, claimed, options.tree)));
    if (!belongs) plans.push(folderPlan(name));
  }
  return { plans, lone: lone.filter((name) => !claimed.has(name)) };
}

const folderPlan = (name: string): SourcePlan => ({
  place: name,
  files: [],
  folders: [name],
  keysFrom: name,
  stem: null,
  missing: [],
});

async function holdsOnly(folder: string, claimed: ReadonlySet<string>, tree: Tree): Promise<boolean> {
  const listing = await tree.folder(folder);
  for (const name of listing?.files ?? []) {
    if (!claimed.has(placeBelow(folder, name)) && !pictures.has(extensionOf(name))) return false;
  }
  for (const name of listing?.folders ?? []) {
    if (!(await holdsOnly(placeBelow(folder, name), claimed, tree))) return false;
  }
  return true;
}

/**
 * Each file that fits the patterns, with its data set. `tops` are the folders to look through; with everything below them when `deep`. A file may serve
 * several sources; a sidecar is none, even when a pattern fits it.
 */
export async function filePlans(
  patterns: readonly string[],
  tops: readonly string[],
  deep: boolean,
  options: GatherOptions,
): Promise<Plans> {
  const fits = createPathFits(patterns);
  const plans: SourcePlan[] = [];
  const lone: string[] = [];
  const folders = [...tops];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listing = await options.tree.folder(folder);
    if (!listing) continue;
    const here = await dataSetsOf(listing.files, options.page);
    const wanted = ({ primary }: DataSet) => fits(toKey(placeBelow(folder, primary)), false);
    for (const set of here.sets.filter(wanted)) plans.push(await gather(folder, set, options));
    for (const name of here.lone) {
      const place = placeBelow(folder, name);
      if (fits(toKey(place), false)) lone.push(place);
    }
    if (deep) for (const name of listing.folders) folders.push(placeBelow(folder, name));
  }
  return { plans, lone };
}

/** The whole folder, when the trigger file is there. */
export async function triggerPlans(rule: WatchRule, file: string): Promise<Plans> {
  try {
    const stats = await lstat(join(rule.folder, file));
    if (!stats.isFile()) return nothing;
    const whole = { place: '', files: [], folders: [''], keysFrom: '', stem: null, missing: [] };
    return { plans: [{ ...whole, trigger: factsOf(file, stats) }], lone: [] };
  } catch (error) {
    if (isMissing(error)) return nothing;
    throw error;
  }
}
