import { isTiled, type Kind, type KnownSourceType, kindOf, kinds } from '../../shared/kinds.ts';
import type { Suggestion } from '../../shared/source.ts';
import type { Phrase, PhraseValue } from '../../strings/phrase.ts';
import type { Key } from '../../strings/say.ts';
import type { SourceFile, SourceFiles } from '../files/model.ts';
import { isForeign } from './grouping/file-classes.ts';
import { isTileset, type NameFacts, namesOf } from './headers/choose.ts';
import {
  areOfOneCamera,
  cityGmlName,
  commonest,
  describeSamples,
  hasSamples,
  headersOfKind,
  isDerived,
  isElevation,
} from './headers/describe-headers.ts';
import { inspectedMembers, type Look } from './headers/look-inside.ts';

interface NamedKind extends Kind {
  readonly name: Key;
}

const kindNamed = (sourceType: KnownSourceType, name: Key = `kinds.source.${sourceType}`): NamedKind => ({
  ...kindOf(sourceType),
  name,
});

const cityGml = kindNamed('CITYGML');
const pointCloud = kindNamed('POINT_CLOUD');
const capture = kindNamed('3D_CAPTURE');
const tileset = kindNamed('3DTILES', 'kinds.tileset');
const imagery = kindNamed('RASTER_IMAGERY');
const elevation = kindNamed('RASTER_TERRAIN');

/** The most informative first, then all others. */
const ordered: readonly NamedKind[] = [
  cityGml,
  pointCloud,
  kindNamed('BIM_CAD', 'kinds.buildingModel'),
  kindNamed('KML'),
  kindNamed('3D_MODEL'),
  kindNamed('TERRAIN_DATABASE'),
  elevation,
  imagery,
];
const byExtensions: readonly NamedKind[] = [
  ...ordered,
  ...kinds
    .filter(({ sourceType }) => !ordered.some((kind) => kind.sourceType === sourceType))
    .map(({ sourceType }) => kindNamed(sourceType)),
];

const tiles = ['b3dm', 'i3dm', 'pnts', 'cmpt'];
const pictures = ['jpg', 'jpeg', 'png'];
/** Sidecars that georeference a picture; capture photos have none. */
const pictureSidecars = ['jgw', 'pgw', 'wld', 'tfw', 'tab'];
/** From this number on, photos without positions are a capture. */
const manyPhotos = 20;
/** From this number on, photos with positions or of one camera are a capture. */
const fewPhotos = 3;

/** Result of the recognition. */
export interface Recognized {
  readonly suggestion: Suggestion | null;
  /** Names in a single readable archive; empty if there are too many. */
  readonly archivedNames: readonly string[];
}

/** Returns what is known about an archive. */
export type ArchiveLook = (file: SourceFile) => Promise<Look | undefined>;

/**
 * Recognises data by file names, names in a single archive, and headers.
 */
export async function recognize(
  files: SourceFiles,
  looks: ReadonlyMap<string, Look>,
  archiveLook: ArchiveLook,
): Promise<Recognized> {
  const only = files.length === 1 ? files.at(0) : undefined;
  const archive = only && /\.(?:zip|3tz)$/i.test(only.key) ? (await archiveLook(only))?.members : undefined;
  const detectedLooks = looksOf(files, looks);
  const isArchived = archive !== undefined && !isTileset(only?.key ?? '');
  const names = isArchived ? archive.names : namesOf(keysOf(files));
  const prefix = (only?.key ?? '').length + 1;
  return {
    suggestion: suggestByNames(names, isArchived, detectedLooks),
    archivedNames: (archive?.keys ?? []).map((key) => key.slice(prefix)),
  };
}

const decidedByContent = /\.(?:tiff?|img|jpe?g|gml|citygml|xml)$/i;
/** Kinds that the content decides between. */
const kindsByContent = new Set<string | undefined>([
  ...['CITYGML', 'RASTER_IMAGERY', 'RASTER_TERRAIN', '3D_CAPTURE'],
  undefined,
]);

/**
 * Returns the key of a file that makes the suggestion uncertain because its header couldn't be read: a `.tif`
 * may be a picture or elevation, a `.gml` anything. Pure.
 *
 * @param late the file being read when the time was over
 */
export function fileInDoubt(
  suggestion: Suggestion | null,
  files: Iterable<Pick<SourceFile, 'key'>>,
  looks: ReadonlyMap<string, Look>,
  late: string | null,
): string | null {
  const [endings, kind] = contentOf(suggestion?.sourceType);
  const isLate = late !== null && kindsByContent.has(suggestion?.sourceType);
  let inDoubt: string | null = null;
  let notLooked: string | null = null;
  for (const { key } of files) {
    if (isLate && decidedByContent.test(key)) return late;
    if (!endings?.test(key)) continue;
    const look = looks.get(key);
    if (look?.head?.kind === kind && !isLate) return null;
    if (look) inDoubt ??= key;
    else notLooked ??= key;
  }
  // The few inspected files speak for the others.
  const isKindSeen = headersOfKind([...looks.values()], kind).length > 0;
  return inDoubt ?? (isKindSeen ? null : notLooked);
}

function contentOf(sourceType: string | undefined): readonly [RegExp | null, 'gml' | 'tiff'] {
  if (sourceType === 'CITYGML') return [/\.(?:gml|citygml|xml)$/i, 'gml'];
  const isRaster = sourceType === 'RASTER_IMAGERY' || sourceType === 'RASTER_TERRAIN';
  return [isRaster ? /\.tiff?$/i : null, 'tiff'];
}

/** Returns results in key order, because scans return another order each time. */
export function looksOf(files: SourceFiles, looks: ReadonlyMap<string, Look>): readonly Look[] {
  const detectedLooks: Look[] = [];
  for (const { key } of files) {
    if (detectedLooks.length === looks.size) break;
    const look = looks.get(key);
    if (look) detectedLooks.push(look);
  }
  return detectedLooks
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .flatMap((look) => [look, ...inspectedMembers(look)]);
}

function* keysOf(files: Iterable<Pick<SourceFile, 'key'>>): Generator<string> {
  for (const { key } of files) yield key;
}

/**
 * Suggests a kind: the most informative extension wins over textures and sidecars, and headers refine it.
 * Uses `archivedNames` if there are any.
 */
export function suggestKind(
  source: { readonly files: readonly Pick<SourceFile, 'key'>[]; readonly archivedNames?: readonly string[] },
  looks: readonly Look[] = [],
): Suggestion | null {
  const archived = source.archivedNames ?? [];
  const isArchived = archived.length > 0;
  const names = isArchived ? archived : source.files.map(({ key }) => key);
  return suggestByNames(namesOf(names), isArchived, looks);
}

function suggestByNames(
  { endings: counts, hasTileset, hasTileOfCapture }: NameFacts,
  isArchived: boolean,
  looks: readonly Look[],
): Suggestion | null {
  const located: Located = (reasonPhrase) =>
    isArchived ? { key: 'kinds.reason.inArchive', values: { what: reasonPhrase } } : reasonPhrase;
  if (hasTileset) return suggest(tileset, located({ key: 'kinds.reason.tileset' }));
  const tileExtensions = tiles.filter((extension) => counts.has(extension));
  if (tileExtensions.length > 0) return suggest(tileset, located(reasonFor(tileExtensions, counts)));
  for (const kind of byExtensions) {
    const matchingExtensions = kind.extensions.filter((extension) => counts.has(extension));
    // Archives aren't served unchanged.
    if (matchingExtensions.length === 0 || (isArchived && !isTiled(kind))) continue;
    const isMesh = hasTileOfCapture || headersOfKind(looks, 'capture').length > 0;
    if (kind.sourceType === '3D_MODEL' && isMesh)
      return suggest(capture, located(reasonFor(matchingExtensions, counts)));
    const suggestion = refineByHeaders(kind, located(reasonFor(matchingExtensions, counts)), looks);
    if (suggestion) return suggestion;
  }
  return suggestPictures(counts, located, looks) ?? suggestFromXml(counts, looks);
}

/** Suggestion for a kind that is already known. */
export function suggestionForKind(
  sourceType: KnownSourceType,
  files: Iterable<Pick<SourceFile, 'key'>>,
): Suggestion {
  const kind = kindOf(sourceType);
  const { endings: counts } = namesOf(keysOf(files));
  const ownExtensions = kind.extensions.filter((extension) => counts.has(extension));
  return suggest(
    kindNamed(sourceType),
    reasonFor(ownExtensions.length > 0 ? ownExtensions : [...counts.keys()].slice(0, 3), counts),
  );
}

type Located = (reasonPhrase: Phrase) => Phrase;

function suggest(
  { name, assetType, sourceType }: NamedKind,
  ...reasons: readonly (PhraseValue | null)[]
): Suggestion {
  const reason = { names: reasons.filter((phrase) => phrase !== null) };
  return { kind: { key: name }, assetType, sourceType, reason };
}

/** Refines the suggestion by headers; null if they contradict it. */
function refineByHeaders(kind: NamedKind, reason: Phrase, looks: readonly Look[]): Suggestion | null {
  if (kind === cityGml) {
    const heads = headersOfKind(looks, 'gml');
    if (heads.length > 0 && !heads.some(({ isCityGml }) => isCityGml)) return null;
    return { ...suggest(kind, reason), kind: cityGmlName(heads) };
  }
  if (kind === pointCloud) {
    const heads = headersOfKind(looks, 'las');
    const version = commonest(heads.map((head) => `${head.compressed ? 'LAZ' : 'LAS'} ${head.version}`));
    return suggest(kind, reason, version);
  }
  if (kind === imagery) {
    const rasters = looks.flatMap(({ key, head }) => (hasSamples(head) ? [{ key, head }] : []));
    const heights = rasters.filter(({ key, head }) => isElevation(head) && !isDerived(key));
    const rasterKind = heights.length * 2 > rasters.length ? elevation : imagery;
    const samples = describeSamples(rasters.map(({ head }) => head));
    return suggest(rasterKind, reason, samples);
  }
  return suggest(kind, reason);
}

function suggestPictures(
  counts: ReadonlyMap<string, number>,
  located: Located,
  looks: readonly Look[],
): Suggestion | null {
  const foundExtensions = pictures.filter((extension) => counts.has(extension));
  if (foundExtensions.length === 0) return null;
  const files = reasonFor(foundExtensions, counts);
  if (pictureSidecars.some((extension) => counts.has(extension))) {
    return suggest(imagery, located({ key: 'kinds.reason.withWorldFiles', values: { files } }));
  }
  const photos = (counts.get('jpg') ?? 0) + (counts.get('jpeg') ?? 0);
  const heads = headersOfKind(looks, 'jpeg');
  const placed = heads.filter(({ hasPosition }) => hasPosition).length;
  if (photos >= fewPhotos && placed * 2 > heads.length) {
    const reasonKey = placed < heads.length ? 'kinds.reason.mostWithPosition' : 'kinds.reason.withPosition';
    return suggest(capture, { key: reasonKey, values: { files } });
  }
  if (photos >= fewPhotos && areOfOneCamera(looks))
    return suggest(capture, { key: 'kinds.reason.ofOneCamera', values: { files } });
  if (photos >= manyPhotos)
    return suggest(capture, located({ key: 'kinds.reason.withoutWorldFiles', values: { files } }));
  // Probably previews of unlisted formats, which may include `.json`.
  if ([...counts.keys()].some((extension) => isForeign(extension) || extension === 'json')) return null;
  return suggest(imagery, located(files));
}

/** The extension doesn't identify city models, but the header does. */
function suggestFromXml(counts: ReadonlyMap<string, number>, looks: readonly Look[]): Suggestion | null {
  const isCity = headersOfKind(looks, 'gml').some(({ isCityGml }) => isCityGml);
  return isCity && counts.has('xml') ? refineByHeaders(cityGml, reasonFor(['xml'], counts), looks) : null;
}

/** "34 .gml files", "1 .las file", "2 .obj and 1 .gltf files". */
function reasonFor(extensions: readonly string[], counts: ReadonlyMap<string, number>): Phrase {
  const extensionCounts = extensions.map((extension) => ({
    ending: extension,
    count: counts.get(extension) ?? 0,
  }));
  const countPhrases = extensionCounts.map((extensionCount) => ({
    key: 'kinds.reason.ofEnding' as const,
    values: extensionCount,
  }));
  const count = extensionCounts.reduce((sum, extensionCount) => sum + extensionCount.count, 0);
  return { key: 'kinds.reason.files', values: { count, each: { list: countPhrases } } };
}
