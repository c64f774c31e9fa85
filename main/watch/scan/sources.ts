import { createPathFits } from '../../files/left-out/path-patterns.ts';
import { toKey } from '../../files/paths.ts';
import { type DataSet, dataSetsOf, extensionOf } from '../../inspect/together/data-set.ts';
import type { WatchUnit } from '../model/rule.ts';
import { concerns, type IsWanted, type SourcePlan } from './found-source.ts';
import { type GatherOptions, gather, gatherFolder } from './gather.ts';
import { placeBelow, type Tree } from './tree.ts';

const pictures = new Set(['jpg', 'jpeg', 'png', 'bmp', 'tga', 'webp', 'gif', 'dds', 'ktx2', 'tif', 'tiff']);

/**
 * Plans each top-level entry: a subfolder with all its content, a file with its data set.
 *
 * Files that a top-level model references belong to it: images next to it, and a subfolder of only images and
 * referenced files.
 *
 * @param isWanted other folders aren't read; null for all
 */
export async function entryPlans(
  options: GatherOptions,
  isWanted: IsWanted | null,
): Promise<readonly SourcePlan[]> {
  const top = await options.tree.folder('');
  if (!top) return [];
  const { sets } = dataSetsOf(top.files);
  const gathered: SourcePlan[] = [];
  for (const set of sets) gathered.push(await gather('', set, options, isWanted));
  const { mayClaim = () => true } = options;
  const claiming = gathered.filter((_, index) => mayClaim([sets[index]?.primary ?? '']));
  const claimed = claimedBy(claiming);
  const claimedFolders = new Set(claiming.flatMap(({ folders }) => folders));
  const plans = gathered.filter(({ place }) => !claimed.has(place));
  const touched = new Set(
    [...claimed].filter((place) => place.includes('/')).map((place) => place.split('/')[0]),
  );
  for (const name of top.folders) {
    if (isWanted?.(name) === false) continue;
    const belongs =
      claimedFolders.has(name) || (touched.has(name) && (await holdsOnly(name, claimed, options.tree)));
    if (!belongs) plans.push(await gatherFolder(name, options));
  }
  return wantedOf(plans, isWanted);
}

const wantedOf = (plans: readonly SourcePlan[], isWanted: IsWanted | null): readonly SourcePlan[] =>
  isWanted === null ? plans : plans.filter((plan) => concerns(plan, isWanted));

/** If files reference each other, the first by name stays. */
function claimedBy(plans: readonly SourcePlan[]): ReadonlySet<string> {
  const filesOf = new Map(plans.map(({ place, files }) => [place, new Set(files)]));
  const claimed = new Set<string>();
  for (const { place, files } of plans) {
    for (const file of files) {
      const isFirst = file < place && filesOf.get(file)?.has(place);
      if (file !== place && !isFirst) claimed.add(file);
    }
  }
  return claimed;
}

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
 * Plans each file that matches the patterns, with its data set. `tops`: folders to scan, recursively if
 * `deep`. A file may belong to several sources; a sidecar never is one and waits for its data.
 *
 * @param isWanted null for all
 */
export async function filePlans(
  patterns: readonly string[],
  tops: readonly string[],
  deep: boolean,
  options: GatherOptions,
  isWanted: IsWanted | null = null,
): Promise<readonly SourcePlan[]> {
  const fits = createPathFits(patterns);
  const plans: SourcePlan[] = [];
  const folders = [...tops];
  for (const folder of deep ? folders : []) await options.tree.readBelow(folder);
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listing = await options.tree.folder(folder);
    if (!listing) continue;
    const isMatching = ({ primary }: DataSet) => fits(toKey(placeBelow(folder, primary)), false);
    for (const set of dataSetsOf(listing.files).sets.filter(isMatching))
      plans.push(await gather(folder, set, options, isWanted));
    if (deep) for (const name of listing.folders) folders.push(placeBelow(folder, name));
  }
  return wantedOf(plans, isWanted);
}

type FoldersUnit = Extract<WatchUnit, { kind: 'folders' }>;

/**
 * Plans each folder at the unit's depth with all its content. `top`: a place inside such a folder means that
 * folder.
 */
export async function folderPlans(
  unit: FoldersUnit,
  top: string,
  options: GatherOptions,
): Promise<readonly SourcePlan[]> {
  const { tree } = options;
  const fits = createPathFits(unit.patterns);
  const matches = (place: string) => unit.patterns.length === 0 || fits(toKey(place), true);
  let level = [folderAround(unit, top)];
  for (let depth = depthOf(level[0] ?? ''); depth < unit.depth; depth++) {
    const nextLevel: string[] = [];
    for (const place of level) {
      const listing = await tree.folder(place);
      for (const name of listing?.folders ?? []) nextLevel.push(placeBelow(place, name));
    }
    level = nextLevel;
  }
  const plans: SourcePlan[] = [];
  for (const place of level) {
    if (matches(place) && (await tree.folder(place))) plans.push(await gatherFolder(place, options));
  }
  return plans;
}

/** Returns the folder at the unit's depth that contains this place, or the place itself. */
export function folderAround({ depth }: Pick<FoldersUnit, 'depth'>, place: string): string {
  return place.split('/').slice(0, depth).join('/');
}

const depthOf = (place: string): number => (place === '' ? 0 : place.split('/').length);
