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
import { collectNames } from './findings/names-taken.ts';
import { filesAt, placesOfPieces } from './grouping/asset-files.ts';
import { contentFactsOf, isArchive, lookGroups } from './grouping/content-facts.ts';
import { partOfSource } from './grouping/part-of-source.ts';
import { type Piece, type Proposal, propose } from './grouping/propose.ts';
import { sortByKind } from './grouping/units.ts';
import { AssetResults } from './header-scan/asset-results.ts';
import { DataExtensions } from './headers/choose.ts';
import type { Look } from './headers/look-inside.ts';
import { type ArchiveLook, looksOf, type Recognized, recognize, suggestionForKind } from './kind-of-data.ts';
import { dataSetsOf } from './together/data-set.ts';
import type { IncludedCompanions } from './together/include-companions.ts';

interface InspectPorts {
  readonly scan: (paths: readonly string[]) => Promise<Scan>;
  /** `groups`: of the files. */
  readonly inspectFirstFiles: (
    groups: readonly SourceFiles[],
    files: SourceFiles,
  ) => Promise<ReadonlyMap<string, Look>>;
  /** Reads a further archive. Default: its contents are unknown. */
  readonly inspectArchive?: (file: SourceFile) => Promise<Look>;
  /** Like `readReferences`. Default: no references. */
  readonly readReferences?: (files: SourceFiles) => Promise<ReadonlyMap<string, string>>;
  /** Default: adds nothing. */
  readonly includeCompanions?: (paths: readonly string[]) => Promise<IncludedCompanions>;
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
interface EarlierUpload {
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
  ports: InspectPorts,
  sent?: EarlierUpload,
): Promise<InspectedSource> {
  const { paths, scan, taken, leftBehind } = sent
    ? { paths: dropped, scan: onlyOf(await ports.scan(dropped), sent.only), taken: [], leftBehind: [] }
    : await scanWithTaken(dropped, ports);
  const looks = await ports.inspectFirstFiles(lookGroups(scan.files), scan.files);
  const furtherArchives = new Map<string, Look | undefined>();
  const archiveLook: ArchiveLook = async (file) => {
    const look = looks.get(file.key) ?? furtherArchives.get(file.key);
    if (look) return look;
    const furtherLook = await ports.inspectArchive?.(file);
    furtherArchives.set(file.key, furtherLook);
    return furtherLook;
  };
  const systems = looks.size > 0 ? await loadSystems() : null;
  const referencingKeys = (await ports.readReferences?.(scan.files)) ?? new Map<string, string>();
  const { pieces, assets } = sent
    ? unknownPieces([], scan.files)
    : inOrderOf(paths, await proposalOf(paths, scan.files, looks, referencingKeys, archiveLook));
  // Only needed here, and large.
  const { footprintsOf } = await import('./crs/footprints.ts');
  const { toLonLat } = await import('./crs/lon-lat.ts');
  const earth = systems && { ...systems, toLonLat };
  const resultsFor = (files: SourceFiles): RecognizedSource['seen'] => {
    const fileLooks = looksOf(files, looks);
    const names = collectNames(files, fileLooks);
    const main = new DataExtensions();
    for (const { key } of files) {
      main.add(key);
    }
    const assetResults = new AssetResults(createFindings(files, earth, names), main.isMain);
    for (const look of fileLooks) assetResults.addLook(look);
    return assetResults.results();
  };
  const keptPieces = assets.flat();
  const recognizePieces = async (numbers: readonly number[]): Promise<RecognizedSource> => {
    const places = placesOfPieces(pieces, numbers);
    const files = filesAt(scan.files, places);
    const kind = pieces[numbers[0] ?? 0]?.kind ?? null;
    const recognized = await recognize(files, looks, archiveLook);
    const suggestion =
      kind && recognized.suggestion?.sourceType !== kind
        ? suggestionForKind(kind, files)
        : recognized.suggestion;
    const part = numbers === keptPieces ? { paths, isWhole: true } : partOfSource(paths, scan.files, places);
    const primary = !part.isWhole && numbers.length === 1 ? (pieces[numbers[0] ?? 0]?.primary ?? null) : null;
    return {
      paths: part.paths,
      files,
      pieces: numbers,
      primary,
      ...recognized,
      suggestion,
      seen: resultsFor(files),
    };
  };
  const [firstAsset, ...otherAssets] = assets;
  const canBeSeveral =
    otherAssets.length === 0 && paths.length > 1 && (firstAsset ?? []).length <= maxSeparate;
  const several =
    otherAssets.length > 0
      ? assets
      : canBeSeveral
        ? (firstAsset ?? []).map((pieceNumber) => [pieceNumber])
        : [];
  const separate: RecognizedSource[] = [];
  for (const assetPieces of several.length > 1 ? several : [])
    separate.push(await recognizePieces(assetPieces));
  const files = filesAt(scan.files, placesOfPieces(pieces, keptPieces));
  const whole =
    otherAssets.length > 0
      ? { ...(await recognize(files, looks, archiveLook)), seen: resultsFor(files), primary: null }
      : await recognizePieces(keptPieces);
  return {
    ...whole,
    paths,
    files,
    pieces: keptPieces,
    scan,
    findings: whole.seen.findings,
    footprints: systems ? footprintsOf(looksOf(files, looks), systems) : [],
    separate,
    suggestSeparate: otherAssets.length > 0,
    allPieces: pieces,
    taken,
    leftBehind,
    isPart: taken.length > 0 || sent?.only !== undefined,
  };
}

function onlyOf(scan: Scan, only: readonly string[] | undefined): Scan {
  if (!only) return scan;
  const requestedPaths = new Set(only);
  return { ...selectFiles(scan.files, ({ path }) => requestedPaths.has(path)), ignored: [] };
}

function selectFiles(
  sourceFiles: SourceFiles,
  fits: (file: SourceFile) => boolean,
): Pick<Scan, 'files' | 'bytes'> {
  let bytes = 0;
  const places = placesWhere(sourceFiles, (file) => {
    const isSelected = fits(file);
    if (isSelected) bytes += file.size;
    return isSelected;
  });
  return { files: new PickedFiles(sourceFiles, places), bytes };
}

/** Leaves out the neighbours if keys would collide. */
async function scanWithTaken(
  dropped: readonly string[],
  { scan, includeCompanions }: InspectPorts,
): Promise<{ readonly paths: readonly string[]; readonly scan: Scan } & Omit<IncludedCompanions, 'paths'>> {
  const companions = await includeCompanions?.(dropped);
  const leftBehind = companions?.leftBehind ?? [];
  const scanDropped = async () => ({ paths: dropped, scan: await scan(dropped), taken: [], leftBehind });
  if (!companions || companions.taken.length === 0) return scanDropped();
  const { paths } = companions;
  const added = new Set(paths.slice(dropped.length).map((path) => toKey(basename(path))));
  const names = paths.map((path) => toKey(basename(path)));
  if (new Set(names).size < names.length) return scanDropped();
  const fullScan = await scan(paths);
  const includedPaths = new Set(companions.taken);
  const isAdded = ({ key }: SourceFile) => added.has(key.split('/', 1)[0] ?? '');
  const includedFiles = selectFiles(fullScan.files, (file) => !isAdded(file) || includedPaths.has(file.path));
  const { files: addedFiles } = selectFiles(includedFiles.files, isAdded);
  const scanned = { ...includedFiles, ignored: [], notUtf8: ofDropped(fullScan.notUtf8 ?? [], dropped) };
  return { paths, scan: scanned, taken: Array.from(addedFiles, ({ key }) => key), leftBehind };
}

/** Unreadable names in an added entry don't concern the drop. */
const ofDropped = (paths: readonly string[], dropped: readonly string[]) =>
  paths.filter((path) => dropped.some((entry) => pathBelow(entry, path) !== null));

/** Unrecognised data is one piece, whose kind the user chooses. */
async function proposalOf(
  paths: readonly string[],
  files: SourceFiles,
  looks: ReadonlyMap<string, Look>,
  referencingKeys: ReadonlyMap<string, string>,
  archiveLook: ArchiveLook,
): Promise<Proposal> {
  const dropped = new Set(paths);
  for (const { path } of files) dropped.delete(path);
  const sorted = sortByKind(
    files,
    contentFactsOf(looks, await archiveKinds(files, looks, archiveLook), referencingKeys),
  );
  if (sorted.units.length === 0) return unknownPieces(paths, files);
  const folders = new Set([...dropped].map((path) => toKey(basename(path))));
  return propose(files, sorted, {
    several: paths.length > 1,
    isWhole: (entry) => folders.has(entry) || isArchive(entry),
  });
}

function inOrderOf(paths: readonly string[], { pieces, assets }: Proposal): Proposal {
  const dropped = new Map(paths.map((path, index) => [toKey(basename(path)), index]));
  const placeOf = (pieceIndex: number) =>
    dropped.get(pieces[pieceIndex]?.primary.split('/', 1)[0] ?? '') ?? dropped.size;
  const orderOf = (numbers: readonly number[]) =>
    numbers.reduce((lowestIndex, pieceIndex) => Math.min(lowestIndex, placeOf(pieceIndex)), dropped.size);
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
  const pieces = [...entries].map(([primary, entryFiles]) => ({
    kind: null,
    reason: null,
    primary,
    files: entryFiles,
  }));
  return { pieces, assets: [pieces.map((_piece, index) => index)] };
}

async function archiveKinds(
  files: SourceFiles,
  looks: ReadonlyMap<string, Look>,
  archiveLook: ArchiveLook,
): Promise<ReadonlyMap<string, KnownSourceType | null>> {
  const places = placesWhere(files, ({ key }) => isArchive(key));
  const keyOf = (place: number) => files.at(place)?.key ?? '';
  const archives = sortedBy(places, keyOf);
  const kindByKey = new Map<string, KnownSourceType | null>();
  for (const place of archives.slice(0, maxArchives)) {
    const { suggestion } = await recognize(new PickedFiles(files, [place]), looks, archiveLook);
    kindByKey.set(keyOf(place), (suggestion?.sourceType as KnownSourceType | undefined) ?? null);
  }
  const counts = [...Map.groupBy(kindByKey.values(), (kind) => kind)].sort(
    (a, b) => b[1].length - a[1].length,
  );
  for (const place of archives.slice(maxArchives)) {
    kindByKey.set(keyOf(place), counts[0]?.[0] ?? null);
  }
  return kindByKey;
}
