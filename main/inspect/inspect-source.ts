import { basename } from 'node:path';
import type { FindingGroup } from '../../shared/findings.ts';
import type { KnownSourceType } from '../../shared/kinds.ts';
import type { AssetSeen, Footprint } from '../../shared/source.ts';
import { PickedFiles } from '../files/file-table.ts';
import type { Scan, SourceFile, SourceFiles } from '../files/model.ts';
import { pathBelow, toKey } from '../files/paths.ts';
import { groupPlaces, placesWhere, sortedBy } from '../files/places.ts';
import { loadSystems } from './crs/systems.ts';
import { createFindings } from './findings/create-findings.ts';
import { takeNames } from './findings/names-taken.ts';
import { filesAt, placesOfPieces } from './grouping/asset-files.ts';
import { partOfSource } from './grouping/part-of-source.ts';
import { type Piece, type Proposal, propose } from './grouping/propose.ts';
import { isArchive, lookGroups, sightOf } from './grouping/sight.ts';
import { sortByKind } from './grouping/units.ts';
import { DataExtensions } from './headers/choose.ts';
import type { Look } from './headers/look-inside.ts';
import { kindByNames, looksOf, type Recognized, recognize } from './kind-of-data.ts';
import { AssetSoFar } from './survey/asset-so-far.ts';
import { dataSetsOf } from './together/data-set.ts';
import type { TakenAlong } from './together/take-along.ts';

interface InspectOutside {
  readonly scan: (paths: readonly string[]) => Promise<Scan>;
  readonly inspectFirstFiles: (sources: readonly SourceFiles[]) => Promise<ReadonlyMap<string, Look>>;
  /** Like `readNamed`. Default: no references. */
  readonly readNamed?: (files: SourceFiles) => Promise<ReadonlyMap<string, string>>;
  /** Default: adds nothing. */
  readonly takeAlong?: (paths: readonly string[]) => Promise<TakenAlong>;
}

/** A possible asset of the dropped entries. */
export interface RecognizedSource extends Recognized {
  readonly paths: readonly string[];
  readonly files: SourceFiles;
  /** Positions in `allPieces` of the whole source. */
  readonly pieces: readonly number[];
  /** Key of the file that names it, if it is part of a folder. */
  readonly primary: string | null;
  /** Based on its first few files. */
  readonly seen: Omit<AssetSeen, 'group'>;
}

/** The dropped entries as a whole. */
export interface InspectedSource extends RecognizedSource {
  readonly scan: Scan;
  /** For `files`, which exclude what goes into no asset. */
  readonly findings: readonly FindingGroup[];
  /** Of inspected files with a known position. */
  readonly footprints: readonly Footprint[];
  /** Possible assets; empty if there can only be one. */
  readonly separate: readonly RecognizedSource[];
  /** Set for several kinds or complete data sets. */
  readonly suggestSeparate: boolean;
  /** All files: first the assets' pieces, then excluded ones. */
  readonly allPieces: readonly Piece[];
  /** Keys of added files. */
  readonly taken: readonly string[];
  /** Referenced files that weren't added in unattended use. */
  readonly leftBehind: readonly string[];
  /** Whether its entries contain more files. */
  readonly isPart: boolean;
}

/** An earlier upload to repeat as one asset. */
interface SentBefore {
  /** Absolute; absent for all. */
  readonly only?: readonly string[] | undefined;
}

/** More pieces of one kind form one asset. */
const maxSeparate = 50;
/** Further archives in a drop get the most frequent kind of these. */
const maxArchives = 50;

/**
 * Recognises dropped entries by file names, names in archives and a few headers.
 *
 * @param sent the earlier upload to repeat
 * @throws TileliftError as `scanSource`
 */
export async function inspectSource(
  dropped: readonly string[],
  outside: InspectOutside,
  sent?: SentBefore,
): Promise<InspectedSource> {
  const { paths, scan, taken, leftBehind } = sent
    ? {
        paths: dropped,
        scan: onlyOf(await outside.scan(dropped), sent.only),
        taken: [],
        leftBehind: [],
      }
    : await scanWithTaken(dropped, outside);
  const looks = await outside.inspectFirstFiles(lookGroups(scan.files));
  const systems = looks.size > 0 ? await loadSystems() : null;
  const named = (await outside.readNamed?.(scan.files)) ?? new Map<string, string>();
  const { pieces, assets } = sent
    ? unknownPieces([], scan.files)
    : inOrderOf(paths, await proposalOf(paths, scan.files, looks, named));
  // Only needed here, and large.
  const { footprintsOf } = await import('./crs/footprints.ts');
  const { toLonLat } = await import('./crs/lon-lat.ts');
  const earth = systems && { ...systems, toLonLat };
  const seenIn = (files: SourceFiles): RecognizedSource['seen'] => {
    const looked = looksOf(files, looks);
    const names = takeNames(files, looked);
    const main = new DataExtensions();
    for (const { key } of files) {
      main.add(key);
    }
    const seen = new AssetSoFar(createFindings(files, earth, names), main.isMain);
    for (const look of looked) seen.take(look);
    return seen.seen();
  };
  const kept = assets.flat();
  const of = async (numbers: readonly number[]): Promise<RecognizedSource> => {
    const places = placesOfPieces(pieces, numbers);
    const files = filesAt(scan.files, places);
    const kind = pieces[numbers[0] ?? 0]?.kind ?? null;
    const recognized = await recognize(files, looks, numbers === kept ? systems : null);
    const suggestion =
      kind && recognized.suggestion?.sourceType !== kind ? kindByNames(kind, files) : recognized.suggestion;
    const part = numbers === kept ? { paths, isWhole: true } : partOfSource(paths, scan.files, places);
    const primary = !part.isWhole && numbers.length === 1 ? (pieces[numbers[0] ?? 0]?.primary ?? null) : null;
    return {
      paths: part.paths,
      files,
      pieces: numbers,
      primary,
      ...recognized,
      suggestion,
      seen: seenIn(files),
    };
  };
  const [first, ...others] = assets;
  const canBeSeveral = others.length === 0 && paths.length > 1 && (first ?? []).length <= maxSeparate;
  const several = others.length > 0 ? assets : canBeSeveral ? (first ?? []).map((one) => [one]) : [];
  const separate: RecognizedSource[] = [];
  for (const one of several.length > 1 ? several : []) separate.push(await of(one));
  const files = filesAt(scan.files, placesOfPieces(pieces, kept));
  const whole =
    others.length > 0
      ? { ...(await recognize(files, looks, systems)), seen: seenIn(files), primary: null }
      : await of(kept);
  return {
    ...whole,
    paths,
    files,
    pieces: kept,
    scan,
    findings: whole.seen.findings,
    footprints: systems ? footprintsOf(looksOf(files, looks), systems) : [],
    separate,
    suggestSeparate: others.length > 0,
    allPieces: pieces,
    taken,
    leftBehind,
    isPart: taken.length > 0 || sent?.only !== undefined,
  };
}

function onlyOf(scan: Scan, only: readonly string[] | undefined): Scan {
  if (!only) return scan;
  const wanted = new Set(only);
  return { ...theseOf(scan.files, ({ path }) => wanted.has(path)), ignored: [] };
}

function theseOf(all: SourceFiles, fits: (file: SourceFile) => boolean): Pick<Scan, 'files' | 'bytes'> {
  let bytes = 0;
  const places = placesWhere(all, (file) => {
    const isMeant = fits(file);
    if (isMeant) bytes += file.size;
    return isMeant;
  });
  return { files: new PickedFiles(all, places), bytes };
}

/** Leaves out the neighbours if keys would collide. */
async function scanWithTaken(
  dropped: readonly string[],
  { scan, takeAlong }: InspectOutside,
): Promise<{ readonly paths: readonly string[]; readonly scan: Scan } & Omit<TakenAlong, 'paths'>> {
  const along = await takeAlong?.(dropped);
  const leftBehind = along?.leftBehind ?? [];
  const alone = async () => ({ paths: dropped, scan: await scan(dropped), taken: [], leftBehind });
  if (!along || along.taken.length === 0) return alone();
  const { paths } = along;
  const added = new Set(paths.slice(dropped.length).map((path) => toKey(basename(path))));
  const names = paths.map((path) => toKey(basename(path)));
  if (new Set(names).size < names.length) return alone();
  const found = await scan(paths);
  const taken = new Set(along.taken);
  const isAdded = ({ key }: SourceFile) => added.has(key.split('/', 1)[0] ?? '');
  const own = theseOf(found.files, (file) => !isAdded(file) || taken.has(file.path));
  const { files: beside } = theseOf(own.files, isAdded);
  const scanned = { ...own, ignored: [], notUtf8: ofDropped(found.notUtf8 ?? [], dropped) };
  return { paths, scan: scanned, taken: Array.from(beside, ({ key }) => key), leftBehind };
}

/** Unreadable names in an added entry don't concern the drop. */
const ofDropped = (paths: readonly string[], dropped: readonly string[]) =>
  paths.filter((path) => dropped.some((entry) => pathBelow(entry, path) !== null));

/** Unrecognised data is one piece, whose kind the user chooses. */
async function proposalOf(
  paths: readonly string[],
  files: SourceFiles,
  looks: ReadonlyMap<string, Look>,
  named: ReadonlyMap<string, string>,
): Promise<Proposal> {
  const dropped = new Set(paths);
  for (const { path } of files) dropped.delete(path);
  const sorted = sortByKind(files, sightOf(looks, await archiveKinds(files, looks), named));
  if (sorted.units.length === 0) return unknownPieces(paths, files);
  const folders = new Set([...dropped].map((path) => toKey(basename(path))));
  return propose(files, sorted, {
    several: paths.length > 1,
    isWhole: (entry) => folders.has(entry) || isArchive(entry),
  });
}

function inOrderOf(paths: readonly string[], { pieces, assets }: Proposal): Proposal {
  const dropped = new Map(paths.map((path, index) => [toKey(basename(path)), index]));
  const placeOf = (at: number) => dropped.get(pieces[at]?.primary.split('/', 1)[0] ?? '') ?? dropped.size;
  const orderOf = (numbers: readonly number[]) =>
    numbers.reduce((first, at) => Math.min(first, placeOf(at)), dropped.size);
  const order = new Map(assets.map((numbers) => [numbers, orderOf(numbers)]));
  return { pieces, assets: assets.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)) };
}

/** @param paths entries that become a piece each, with sidecars, if there are several */
function unknownPieces(paths: readonly string[], files: SourceFiles): Proposal {
  const { sets } = dataSetsOf(paths.map((path) => toKey(basename(path))));
  const setOf = new Map(sets.flatMap(({ primary, companions }) => companions.map((name) => [name, primary])));
  const entryOf = ({ key }: SourceFile) => key.split('/', 1)[0] ?? '';
  const primaryOf = (file: SourceFile) =>
    paths.length > 1 ? (setOf.get(entryOf(file)) ?? entryOf(file)) : '';
  const entries = groupPlaces(files, primaryOf);
  const pieces = [...entries].map(([primary, own]) => ({ kind: null, reason: null, primary, files: own }));
  return { pieces, assets: [pieces.map((_piece, at) => at)] };
}

async function archiveKinds(
  files: SourceFiles,
  looks: ReadonlyMap<string, Look>,
): Promise<ReadonlyMap<string, KnownSourceType | null>> {
  const places = placesWhere(files, ({ key }) => isArchive(key));
  const keyOf = (place: number) => files.at(place)?.key ?? '';
  const archives = sortedBy(places, keyOf);
  const found = new Map<string, KnownSourceType | null>();
  for (const place of archives.slice(0, maxArchives)) {
    const { suggestion } = await recognize(new PickedFiles(files, [place]), looks);
    found.set(keyOf(place), (suggestion?.sourceType as KnownSourceType | undefined) ?? null);
  }
  const counts = [...Map.groupBy(found.values(), (kind) => kind)].sort((a, b) => b[1].length - a[1].length);
  for (const place of archives.slice(maxArchives)) {
    found.set(keyOf(place), counts[0]?.[0] ?? null);
  }
  return found;
}
