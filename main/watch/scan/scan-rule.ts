import { join, posix } from 'node:path';
import { TileliftError } from '../../errors.ts';
import { isListName } from '../../files/checksum-lists/checksum-list.ts';
import { pathBelow, toKey } from '../../files/paths.ts';
import { sortedBy } from '../../files/places.ts';
import { sourcePath } from '../../files/whereabouts.ts';
import { createInspectionThread } from '../../inspect/headers/inspection-thread.ts';
import { createReferences, type References } from '../../inspect/together/references.ts';
import { createPause } from '../../work-line.ts';
import type { FoundSource } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { batchPlans, type KnownBatches, noBatches } from './batches.ts';
import { type EarlierRules, leaveToEarlier } from './earlier-rules.ts';
import { type IsWanted, type SourcePlan, toSource } from './found-source.ts';
import { type Gathered, type GatherOptions, gatherFolder } from './gather.ts';
import { type LeftAlone, mayClaim, sortOut } from './skipped-files.ts';
import { entryPlans, filePlans, folderPlans } from './sources.ts';
import { checkFolder, folderOf, placeBelow, Tree, type TreeOptions, type UnreadablePlace } from './tree.ts';

export interface RuleScanOptions extends TreeOptions {
  /** Cached across scans, so that models aren't read again. Default: a new one. */
  readonly references?: References;
  /** Earlier rules with the same folder. Default: none. */
  readonly earlier?: EarlierRules;
  /** Paths that are never skipped: uploaded before, or requested. Default: all. */
  readonly isMeant?: (path: string) => boolean;
  /** Cached references across scans. Default: none. */
  readonly gathered?: Gathered;
  readonly batches?: KnownBatches;
}

export interface ScanResult {
  /** Sorted by path, without those that have unreadable parts. */
  readonly sources: readonly FoundSource[];
  readonly unreadable: readonly UnreadableSource[];
  readonly leftAlone: readonly LeftAlone[];
}

interface UnreadableSource extends Omit<UnreadablePlace, 'place'> {
  /** Absolute. */
  readonly path: string;
  /** The source that it spoils (ledger key), or null if unknown. */
  readonly source: string | null;
}

/** Why its source waits. */
export const unreadableError = ({ path, reason, isNotUtf8 }: UnreadableSource): TileliftError =>
  new TileliftError(isNotUtf8 ? 'source-name-not-utf8' : 'source-unreadable', {
    subject: path,
    cause: reason,
  });

const nothingThere: ScanResult = { sources: [], unreadable: [], leftAlone: [] };

/**
 * Returns all sources of the rule now. Worker threads read the disk; the rest yields every few ms.
 *
 * @throws TileliftError `watch-folder-missing`, `watch-folder-unreadable`
 * @throws the signal's reason when it aborts
 */
export async function scanRule(rule: WatchRule, options: RuleScanOptions = {}): Promise<ScanResult> {
  await checkFolder(rule.folder);
  const tree = new Tree(rule, options);
  await tree.readBelow('');
  return scanPlaces(rule, tree, { kind: 'all' }, options);
}

/**
 * Returns the sources that changes at these absolute paths may affect: for `entries`, in the same top-level
 * entries; for `folders`, around or below them; for `files`, those that they belong to (for a folder, all
 * below it); for `whole-folder` and `batch`, everything. Apart from sibling names, only uncached references
 * are read.
 *
 * @throws the errors of `scanRule`
 */
export async function scanAround(
  rule: WatchRule,
  paths: readonly string[],
  options: RuleScanOptions = {},
): Promise<ScanResult> {
  const places = paths.flatMap((path) => pathBelow(rule.folder, path) ?? []);
  if (places.length === 0) return nothingThere;
  const { kind } = rule.unit;
  if (places.includes('') || kind === 'whole-folder' || kind === 'batch') return scanRule(rule, options);
  await checkFolder(rule.folder);
  return scanPlaces(rule, new Tree(rule, options), { kind: 'around', places }, options);
}

/**
 * Scans one source; null if it no longer is one.
 *
 * @throws TileliftError `source-unreadable`, `source-name-not-utf8`, and the errors of `scanRule`
 */
export async function scanSourceAt(
  rule: WatchRule,
  path: string,
  options: RuleScanOptions = {},
): Promise<FoundSource | null> {
  await checkFolder(rule.folder);
  const tree = new Tree(rule, options);
  const { sources, unreadable } = await scanPlaces(rule, tree, { kind: 'source', path }, options);
  const match = sources.find((source) => source.path === path);
  if (match) return match;
  const [firstUnreadable] = unreadable;
  if (firstUnreadable) throw unreadableError(firstUnreadable);
  return null;
}

/** `places`: relative to the watched folder, in any spelling; `path`: the ledger's. */
type Scope =
  | { readonly kind: 'all' }
  | { readonly kind: 'around'; readonly places: readonly string[] }
  | { readonly kind: 'source'; readonly path: string };

async function plansOf(
  { unit }: WatchRule,
  scope: Scope,
  options: GatherOptions,
  { earlier, batches = noBatches }: RuleScanOptions,
): Promise<readonly SourcePlan[]> {
  const places = placesIn(scope);
  switch (unit.kind) {
    case 'whole-folder':
      return [await gatherFolder('', options)];
    case 'batch':
      return batchPlans(await batches(options.pause), options);
    case 'entries': {
      const tops = new Set(places.map(topOf));
      return entryPlans(options, scope.kind === 'all' ? null : (place) => tops.has(topOf(place)));
    }
    case 'folders': {
      const plans = new Map<string, SourcePlan>();
      for (const place of places)
        for (const plan of await folderPlans(unit, await spelled(options.tree, place), options))
          plans.set(plan.place, plan);
      return [...plans.values()];
    }
    case 'files': {
      const whole: string[] = [];
      const single: string[] = [];
      for (const place of places) {
        const diskPlace = await spelled(options.tree, place);
        const isFolder = scope.kind !== 'source' && (await options.tree.folder(diskPlace)) !== null;
        (isFolder ? whole : single).push(diskPlace);
      }
      const isBelow = (place: string) => whole.some((top) => top === '' || `${place}/`.startsWith(`${top}/`));
      const folders = [...new Set(single.map(folderOf))].filter((folder) => !isBelow(folder));
      const plansIn = async (tops: readonly string[], isWanted: IsWanted | null) => {
        const plans = await filePlans(unit.patterns, tops, isWanted === null, options, isWanted);
        return leaveToEarlier(plans, earlier, tops, isWanted === null, options);
      };
      return [...(await plansIn(whole, null)), ...(await plansIn(folders, isFileOf(single)))];
    }
  }
}

function placesIn(scope: Scope): readonly string[] {
  if (scope.kind === 'all') return [''];
  return scope.kind === 'around' ? scope.places : [scope.path === '.' ? '' : scope.path];
}

const topOf = (place: string): string => toKey(place).split('/')[0] ?? '';

/** Also matches the same name up to the first dot, because a deleted sidecar belonged to it. */
function isFileOf(places: readonly string[]): IsWanted {
  const stemIn = (place: string) => /^(?:.*\/)?[^/][^./]*/.exec(toKey(place))?.[0].toLowerCase() ?? '';
  const stems = new Set(places.map(stemIn));
  return (place) => stems.has(stemIn(place));
}

/** Finds the disk's spelling of a path. */
async function spelled(tree: Tree, path: string): Promise<string> {
  // ASCII has only one spelling.
  if (/^[\x20-\x7e]*$/.test(path)) return path;
  let place = '';
  for (const name of path.split('/')) {
    const listing = await tree.folder(place);
    place = placeBelow(place, listing?.find(name, 'folders') ?? listing?.find(name, 'files') ?? name);
  }
  return place;
}

async function scanPlaces(
  rule: WatchRule,
  tree: Tree,
  scope: Scope,
  options: RuleScanOptions,
): Promise<ScanResult> {
  const pause = createPause(options.signal);
  const { isMeant, gathered = new Map() } = options;
  if (scope.kind === 'all') gathered.clear();
  const plans = await withReader(options, async (references) => {
    const gathering: GatherOptions = {
      root: rule.folder,
      ...{ tree, references, pause, gathered },
      mayClaim: isMeant && mayClaim(rule),
    };
    const scopePlans = withoutOthers(rule, await plansOf(rule, scope, gathering, options));
    if (scope.kind !== 'source') return scopePlans;
    return scopePlans.filter(({ place }) => sourcePath(place) === scope.path);
  });
  const planned: { plan: SourcePlan; source: FoundSource }[] = [];
  for (const plan of plans) {
    const source = await toSource(rule.folder, plan, tree, pause);
    if (source) planned.push({ plan, source });
  }
  const top = tree.unreadable.find(({ place }) => place === '');
  if (top) throw new TileliftError('watch-folder-unreadable', { subject: rule.folder, cause: top.reason });
  const spoilt = spoiltBy(plans, tree.unreadable);
  const byPath = new Map<string, FoundSource>();
  const unreadable: UnreadableSource[] = spoilt.unreadable.map(({ place, plan, ...why }) => {
    return { path: join(rule.folder, place), ...why, source: plan ? sourcePath(plan.place) : null };
  });
  for (const { plan, source } of planned) {
    if (spoilt.plans.has(plan)) continue;
    if (byPath.has(source.path)) {
      const reason = 'another entry has the same name in another Unicode form';
      unreadable.push({ path: join(rule.folder, plan.place), reason, source: source.path });
    } else byPath.set(source.path, source);
    await pause();
  }
  const sources = sortedBy([...byPath.values()], ({ path }) => path);
  const sorted = isMeant
    ? await withReader(options, ({ readBeginning }) =>
        sortOut(rule, sources, {
          ...{ isMeant, pause },
          readBeginning: (path, length) => readBeginning({ path, folder: rule.folder }, length),
        }),
      )
    : { sources, leftAlone: [] };
  const folders = new Set(planned.flatMap(({ plan }) => plan.folders));
  return {
    sources: sorted.sources,
    unreadable,
    leftAlone: [...sorted.leftAlone, ...linksBeside(tree, folders)],
  };
}

/** Links, including junctions, outside the folders of sources. */
function* linksBeside({ listings }: Tree, folders: ReadonlySet<string>): Iterable<LeftAlone> {
  for (const [folder, listing] of listings) {
    if (!listing || listing.links.length === 0 || parentsOf(folder).some((parent) => folders.has(parent)))
      continue;
    for (const link of listing.links)
      yield { path: sourcePath(placeBelow(folder, link)), source: null, why: 'link' };
  }
}

/** `.` is the rule's folder itself. */
const isHidden = (name: string) => name.startsWith('.') && name !== '.';

/** Neither hidden entries, nor files in hidden folders, nor checksum lists are sources. */
function withoutOthers(rule: WatchRule, plans: readonly SourcePlan[]): readonly SourcePlan[] {
  const isSource = ({ place, files }: SourcePlan) => {
    if (place.split('/').some(isHidden)) return false;
    return rule.checksums === 'ignore' || files.length !== 1 || !isListName(posix.basename(place));
  };
  return plans.filter(isSource);
}

async function withReader<Value>(
  { references, worker }: RuleScanOptions,
  use: (references: References) => Promise<Value>,
): Promise<Value> {
  if (references) return use(references);
  const thread = createInspectionThread(worker);
  try {
    return await use(createReferences(thread, 'watched'));
  } finally {
    thread.close();
  }
}

/** Lists the watched folder, all parents, and the place itself. */
const parentsOf = (place: string): readonly string[] => [
  '',
  ...place.split('/').map((_, index, names) => names.slice(0, index + 1).join('/')),
];

function spoiltBy(plans: readonly SourcePlan[], unreadable: readonly UnreadablePlace[]) {
  const spoilt = new Set<SourcePlan>();
  if (unreadable.length === 0) return { plans: spoilt, unreadable: [] };
  const holders = new Map<string, SourcePlan[]>();
  for (const plan of plans) {
    for (const place of [...plan.files, ...plan.folders]) {
      holders.set(place, [...(holders.get(place) ?? []), plan]);
    }
  }
  const described = unreadable.map(({ place, ...why }) => {
    const holding = parentsOf(place).flatMap((parent) => holders.get(parent) ?? []);
    if (holding.length === 0) holding.push(...plans.filter(({ spoiltByAny }) => spoiltByAny));
    for (const plan of holding) spoilt.add(plan);
    return { place, ...why, plan: holding[0] ?? null };
  });
  return { plans: spoilt, unreadable: described };
}
