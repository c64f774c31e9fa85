import { join, posix } from 'node:path';
import { TileliftError } from '../../errors.ts';
import { createLookThread } from '../../source/heads/look-thread.ts';
import { createPage, sortInPages } from '../../source/pages.ts';
import { createReadReferences, type ReadReferences } from '../../source/together/references.ts';
import { toKey } from '../../source/walk/read-folder.ts';
import type { WatchRule, WatchUnit } from '../rule.ts';
import { isListName } from '../verify/checksum-list.ts';
import { type SourcePlan, type SurveyedSource, toSource } from './found-source.ts';
import type { GatherOptions } from './gather.ts';
import { linksSeen, noLinks, type SeenLinks } from './left-alone/links.ts';
import { type LeftAlone, mayClaim, sortOut } from './left-alone/sort-out.ts';
import { placeIn } from './left-out.ts';
import { entryPlans, filePlans, type Plans, triggerIn, triggerPlans } from './sources.ts';
import {
  checkFolder,
  createDiskTree,
  placeBelow,
  TooManyFiles,
  type Tree,
  type UnreadablePlace,
} from './tree.ts';
import { batchPlans, type KnownBatches, noBatches } from './units/batches.ts';
import { type EarlierRules, leaveToEarlier } from './units/earlier-rules.ts';
import { folderAround, folderPlans } from './units/folders.ts';
import { type WalkOptions, walkTree, withBranch } from './walked-tree.ts';

export interface SurveyOptions extends WalkOptions {
  /** Kept from survey to survey it saves reading every model again. Default: a new one. */
  readonly readReferences?: ReadReferences;
  /** Rules that take from the same folder before this one. Default: none. */
  readonly earlier?: EarlierRules;
  /**
   * Leaves alone what is no data of the rule's kind, but for paths for which this gives true: taken before, or wanted all the same. Default: everything is
   * a source.
   */
  readonly isMeant?: (path: string) => boolean;
  /** What is known of the rule's batches. Default: nothing. */
  readonly batches?: KnownBatches;
  /** Version of the identities. Default: the newest. */
  readonly identity?: number;
}

export interface Survey {
  /** In the order of their paths. A source of which anything can't be read is not among them. */
  readonly sources: readonly SurveyedSource[];
  readonly unreadable: readonly UnreadableSource[];
  /** Sidecars without anything that they belong to, relative to the watched folder. */
  readonly lone: readonly string[];
  /** What is no data of the rule's kind. */
  readonly leftAlone: readonly LeftAlone[];
  readonly links: SeenLinks;
}

export interface UnreadableSource {
  /** Absolute. */
  readonly path: string;
  /** What the system says, for the log. */
  readonly reason: string;
  /** The ledger’s name of the source that it keeps from being one. Null when that can’t be told. */
  readonly source: string | null;
}

const nothingThere: Survey = { sources: [], unreadable: [], lone: [], leftAlone: [], links: noLinks };
/** Files looked at one by one on the main thread before a worker is asked. */
const fewFiles = 1_000;

/**
 * All sources of the rule as they are now. The disk is read in worker threads; the rest holds the main thread for a few ms at a time.
 *
 * @throws TileliftError `watch-folder-missing`, `watch-folder-unreadable`
 * @throws the signal's reason when it aborts
 */
export async function surveyRule(rule: WatchRule, options: SurveyOptions = {}): Promise<Survey> {
  await checkFolder(rule.folder);
  const { unit } = rule;
  if (unit.kind === 'trigger') {
    const isThere = (await triggerIn(rule.folder, unit.file)) !== null;
    if (!isThere) return nothingThere;
  }
  const tree = await walkTree(rule, '', options);
  return surveyOf(rule, tree, (gathering) => plansOf(rule, null, gathering, options), options);
}

/**
 * The sources that a change at this absolute path may concern: of `entries` the top-level entry that it lies in, of `folders` the folder that it lies in or
 * those below it, of `files` those of its folder (when it is a folder itself, of everything below), of `trigger` and `batch` the whole.
 *
 * @throws what `surveyRule` throws
 */
export async function surveyPart(
  rule: WatchRule,
  path: string,
  options: SurveyOptions = {},
): Promise<Survey> {
  const place = placeIn(rule.folder, path);
  if (place === null) return nothingThere;
  const { kind } = rule.unit;
  if (place === '' || kind === 'trigger' || kind === 'batch') return surveyRule(rule, options);
  return surveyAt(rule, place, null, options);
}

/**
 * One source again, cheaply: without looking at the rest, and without a thread where it is small. Null when it is no source any more.
 *
 * @throws TileliftError `source-unreadable`, and what `surveyRule` throws
 */
export async function surveySource(
  rule: WatchRule,
  path: string,
  options: SurveyOptions = {},
): Promise<SurveyedSource | null> {
  const place = path === '.' ? '' : path;
  const { sources, unreadable } = await surveyAt(rule, place, path, options);
  const found = sources.find((source) => source.path === path);
  if (found) return found;
  const [first] = unreadable;
  if (first) throw new TileliftError('source-unreadable', { subject: first.path, cause: first.reason });
  return null;
}

/** `only`: the one source that is wanted. */
async function surveyAt(
  rule: WatchRule,
  place: string,
  only: string | null,
  options: SurveyOptions,
): Promise<Survey> {
  await checkFolder(rule.folder);
  const disk = createDiskTree(rule, fewFiles, options.table);
  const survey = (tree: Tree) =>
    surveyOf(rule, tree, (gathering) => plansOf(rule, { place, only }, gathering, options), options);
  try {
    return await survey(disk);
  } catch (error) {
    if (!(error instanceof TooManyFiles)) throw error;
  }
  const top = await spelled(disk, branchOf(rule.unit, place));
  const rest = createDiskTree(rule, Number.POSITIVE_INFINITY, options.table);
  return survey(withBranch(rest, top, await walkTree(rule, top, options)));
}

/** Below which place all of what may be one source with it lies: `files` looks through folders, `entries` through what is at the top. */
function branchOf(unit: WatchUnit, place: string): string {
  if (unit.kind === 'folders') return folderAround(unit, place);
  return unit.kind === 'entries' ? (place.split('/')[0] ?? '') : '';
}

interface Wanted {
  readonly place: string;
  readonly only: string | null;
}

async function plansOf(
  rule: WatchRule,
  wanted: Wanted | null,
  options: GatherOptions,
  { earlier, batches = noBatches }: SurveyOptions,
): Promise<Plans> {
  const { unit } = rule;
  const { tree } = options;
  if (unit.kind === 'trigger') return triggerPlans(unit.file, options);
  if (unit.kind === 'batch') {
    const all = await batchPlans(await batches.look(options.page), options);
    return wanted ? concerning(wanted, all) : all;
  }
  if (unit.kind === 'entries') {
    const all = await entryPlans(options, wanted && topOf(wanted.place));
    return wanted ? concerning(wanted, all) : all;
  }
  if (unit.kind === 'folders') {
    const plans = await folderPlans(unit, await spelled(tree, wanted?.place ?? ''), options);
    const isOnly = ({ place }: SourcePlan) => !wanted?.only || toKey(place) === wanted.only;
    return { plans: plans.filter(isOnly), lone: [] };
  }
  const mine = async (top: string, deep: boolean) =>
    leaveToEarlier(await filePlans(unit.patterns, [top], deep, options), earlier, [top], deep, options);
  if (!wanted) return mine('', true);
  const at = await spelled(tree, wanted.place);
  const isFolder = wanted.only === null && (await tree.folder(at)) !== null;
  const folder = isFolder ? at : at.split('/').slice(0, -1).join('/');
  const all = await mine(folder, isFolder);
  return wanted.only === null ? all : concerning(wanted, all);
}

const topOf = (place: string): string => toKey(place).split('/')[0] ?? '';

function concerning({ place, only }: Wanted, { plans, lone }: Plans): Plans {
  if (only !== null) return { plans: plans.filter((plan) => toKey(plan.place) === only), lone: [] };
  const top = topOf(place);
  const isIn = (one: string) => topOf(one) === top;
  const concerned = ({ files, folders, missing }: SourcePlan) =>
    [...files, ...folders, ...missing].some(isIn);
  return { plans: plans.filter(concerned), lone: lone.filter(isIn) };
}

/** A path of the ledger, which is in NFC, as the disk spells it. */
async function spelled(tree: Tree, path: string): Promise<string> {
  // What has one spelling only needs no looking up.
  if (/^[\x20-\x7e]*$/.test(path)) return path;
  let place = '';
  for (const name of path.split('/')) {
    const listing = await tree.folder(place);
    place = placeBelow(place, listing?.find(name, 'folders') ?? listing?.find(name, 'files') ?? name);
  }
  return place;
}

async function surveyOf(
  rule: WatchRule,
  tree: Tree,
  plansFor: (gathering: GatherOptions) => Promise<Plans>,
  options: SurveyOptions,
): Promise<Survey> {
  const page = createPage(options.signal);
  const { plans, lone } = await withReader(options, async (readReferences) =>
    withoutLists(
      rule,
      await plansFor({
        root: rule.folder,
        tree,
        readReferences,
        page,
        table: options.table,
        mayClaim: options.isMeant && mayClaim(rule),
      }),
    ),
  );
  const made: { plan: SourcePlan; source: SurveyedSource }[] = [];
  for (const plan of plans) {
    const source = await toSource(rule.folder, plan, tree, page, options.identity);
    if (source) made.push({ plan, source });
  }
  const top = tree.unreadable.find(({ place }) => place === '');
  if (top) throw new TileliftError('watch-folder-unreadable', { subject: rule.folder, cause: top.reason });
  const spoilt = spoiltBy(plans, tree.unreadable);
  const found = new Map<string, SurveyedSource>();
  const unreadable: UnreadableSource[] = spoilt.unreadable.map(({ place, reason, plan }) => {
    return { path: join(rule.folder, place), reason, source: plan ? toKey(plan.place) || '.' : null };
  });
  for (const { plan, source } of made) {
    if (spoilt.plans.has(plan)) continue;
    if (found.has(source.path)) {
      const reason = 'another entry has the same name in another Unicode form';
      unreadable.push({ path: join(rule.folder, plan.place), reason, source: source.path });
    } else found.set(source.path, source);
    if (page.isFull()) await page.turn();
  }
  const sources = await sortInPages([...found.values()], ({ path }) => path, page);
  const { isMeant } = options;
  const sorted = isMeant ? await sortOut(rule, sources, isMeant, page) : { sources, leftAlone: [] };
  const links = await linksSeen(
    tree,
    made.map(({ plan }) => plan),
    page,
  );
  return { ...sorted, unreadable, lone: lone.map(toKey).sort(), links };
}

/** What says what must be there is no source of its own. */
function withoutLists(rule: WatchRule, { plans, lone }: Plans): Plans {
  if (rule.checksums === 'ignore') return { plans, lone };
  const isList = ({ place, files }: SourcePlan) => files.length === 1 && isListName(posix.basename(place));
  return { plans: plans.filter((plan) => !isList(plan)), lone };
}

async function withReader<Value>(
  { readReferences, worker }: SurveyOptions,
  use: (read: ReadReferences) => Promise<Value>,
): Promise<Value> {
  if (readReferences) return use(readReferences);
  const thread = createLookThread(worker);
  try {
    return await use(createReadReferences(thread));
  } finally {
    thread.close();
  }
}

/** Which plans hold something that can't be read. */
function spoiltBy(plans: readonly SourcePlan[], unreadable: readonly UnreadablePlace[]) {
  const spoilt = new Set<SourcePlan>();
  if (unreadable.length === 0) return { plans: spoilt, unreadable: [] };
  const holders = new Map<string, SourcePlan[]>();
  for (const plan of plans) {
    for (const place of [...plan.files, ...plan.folders]) {
      holders.set(place, [...(holders.get(place) ?? []), plan]);
    }
  }
  const told = unreadable.map(({ place, reason }) => {
    const names = place.split('/');
    const around = names.map((_, index) => names.slice(0, index + 1).join('/'));
    const holding = ['', ...around].flatMap((one) => holders.get(one) ?? []);
    if (holding.length === 0) holding.push(...plans.filter(({ spoiltByAny }) => spoiltByAny));
    for (const plan of holding) spoilt.add(plan);
    return { place, reason, plan: holding[0] ?? null };
  });
  return { plans: spoilt, unreadable: told };
}
