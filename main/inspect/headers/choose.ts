import { mayBeVolume } from '../completeness/archive-ends.ts';
import { splitArchivesIn } from '../completeness/split-archives.ts';
import { isDataExtension } from '../formats/read-file.ts';
import { type IndexedFiles, LowerCaseKeyIndex } from './lower-case-keys.ts';

/** Extensions of files with useful headers, the most informative first. */
const extensionRanks = [
  ['gml', 'citygml'],
  ['las', 'laz'],
  ['asc'],
  ['tif', 'tiff', 'img'],
  ['jpg', 'jpeg'],
  ['png'],
  ['xml'],
  ['zip'],
];
/** From this rank on, files are only textures, descriptions or archives if there are better ones. */
const firstSecondaryRank = 4;
const rankByExtension = new Map(
  extensionRanks.flatMap((extensions, rank) => extensions.map((extension) => [extension, rank] as const)),
);

/**
 * Chooses at most `limit` files to read first, spread over the source. Keeps a byte per file, since file
 * objects would take much memory.
 */
export function chooseHeaderFiles<Named extends { readonly key: string }>(
  files: Iterable<Named> & { readonly length: number; at(index: number): Named | undefined },
  limit: number,
): readonly Named[] {
  const fileRanks = new Uint8Array(files.length);
  const filesByRank = extensionRanks.map(() => ({ length: 0 }));
  let fileIndex = 0;
  for (const { key } of files) {
    const rank = rankOf(key);
    fileRanks[fileIndex++] = rank;
    const rankFiles = filesByRank[rank];
    if (rankFiles) rankFiles.length += 1;
  }
  const chosen: Named[] = [];
  for (const { rank, positions } of spreadOver(filesByRank, limit)) {
    let [candidateIndex, rankPosition] = [-1, -1];
    for (const position of positions) {
      while (rankPosition < position) if (fileRanks[++candidateIndex] === rank) rankPosition += 1;
      const file = files.at(candidateIndex);
      if (file) chosen.push(file);
    }
  }
  return chosen;
}

/** `extensionRanks.length` for files without useful headers. */
function rankOf(key: string): number {
  const rank = isAuxiliaryXml(key) ? undefined : rankByExtension.get(extensionOf(key));
  return rank ?? extensionRanks.length;
}

function spreadOver(byRank: readonly { readonly length: number }[], limit: number) {
  const chosen: { readonly rank: number; readonly positions: readonly number[] }[] = [];
  let count = 0;
  for (const [rank, { length }] of byRank.entries()) {
    if (count > 0 && rank >= firstSecondaryRank) break;
    const positions = spread(length, limit - count);
    chosen.push({ rank, positions });
    count += positions.length;
  }
  return chosen;
}

/** Facts that the names of files show. */
export interface NameFacts {
  readonly endings: ReadonlyMap<string, number>;
  readonly hasTileset: boolean;
  readonly hasTileOfCapture: boolean;
}

/** A tileset, or an archive of one. */
export const isTileset = (name: string): boolean => /(?:^|\/)tileset\.json$|[^/]\.3tz$/i.test(name);

/** ContextCapture and others name the mesh tiles of a capture like `Tile_+000_+003`. */
export const isTileOfCapture = (name: string): boolean => /(?:^|\/)Tile_[+-]\d{1,6}_[+-]\d{1,6}/i.test(name);

export function namesOf(names: Iterable<string>): NameFacts {
  let [hasTileset, hasTileOfCapture] = [false, false];
  const endings = new Map<string, number>();
  for (const name of names) {
    const extension = extensionOf(name);
    endings.set(extension, (endings.get(extension) ?? 0) + 1);
    hasTileset ||= isTileset(name);
    hasTileOfCapture ||= isTileOfCapture(name);
  }
  return { endings, hasTileset, hasTileOfCapture };
}

/** The files to read and their order. */
export interface InspectionPlan {
  /** Indexes: first a spread sample, then the others in order. */
  readonly order: Uint32Array;
  /** Whether files of an extension are data. */
  readonly isMain: (extension: string) => boolean;
  /** `isMain` for each asset. */
  readonly isMainOf: readonly InspectionPlan['isMain'][];
  /** Sidecar indexes by lower-case key, since some programs write `a.PRJ` next to `A.asc`. */
  readonly sidecars: Pick<ReadonlyMap<string, number>, 'get'>;
  /** Indexes of files whose data is sampled. */
  readonly deep: ReadonlySet<number>;
  /** Volumes of split archives in order, by the index of the file that opens the archive. */
  readonly volumes: ReadonlyMap<number, readonly number[]>;
}

const sampleSize = 64;
/** Sampling data takes ten times as long as reading a header. */
const maxSampledFiles = 200;
/** Sidecars of rasters, including world files: see `sidecar-names.ts`. */
const sidecarPattern = /\.(?:prj|tab|hdr|aux\.xml|[tjp][fg]w|tiff?w|jpe?gw|pngw|wld)$/;

/** Whether values are sampled in files of an extension. */
export const isSampled = (extension: string): boolean => /^(?:tiff?|laz)$/.test(extension);

/** An `.aux.xml` describes another file and holds no data. */
const isAuxiliaryXml = (key: string): boolean => key.toLowerCase().endsWith('.aux.xml');

/** The file in which photogrammetry programs store the position of their models. */
export const isCaptureMetadata = (key: string): boolean => /(?:^|\/)metadata\.xml$/i.test(key);

const mainExtensions =
  (bestRank: number): InspectionPlan['isMain'] =>
  (extension) =>
    bestRank >= firstSecondaryRank ||
    extension === 'zip' ||
    (rankByExtension.get(extension) ?? 0) < firstSecondaryRank;

const modelExtensions = new Set(['obj', 'dae', 'fbx', 'gltf', 'glb', 'ply']);
/** From this rank on, files are textures if there are models. */
const firstTextureRank = 3;

/** Determines the data extensions of an asset. */
export class DataExtensions {
  #bestRank = extensionRanks.length;
  #hasModels = false;

  add(key: string): void {
    this.#bestRank = Math.min(this.#bestRank, rankOf(key));
    this.#hasModels ||= modelExtensions.has(extensionOf(key));
  }

  get bestRank(): number {
    return this.#bestRank;
  }

  get isMain(): InspectionPlan['isMain'] {
    const isModel = this.#hasModels && this.#bestRank >= firstTextureRank;
    if (!isModel) return mainExtensions(this.#bestRank);
    return (extension) => extension === 'zip' || (rankByExtension.get(extension) ?? 0) < firstTextureRank;
  }
}

/**
 * Plans to read all files with data or references. XML descriptions only count if an asset has nothing
 * better, except those of captures.
 *
 * @param lengths number of files per asset, in the order of `files`; default: one asset
 */
export function planInspection(
  files: IndexedFiles,
  lengths: readonly number[] = [files.length],
): InspectionPlan {
  const sidecarIndexes: number[] = [];
  const volumeIndexes: number[] = [];
  const assetExtensions = lengths.map(() => new DataExtensions());
  const firstPass = assetIndexes(lengths);
  let fileIndex = 0;
  for (const { key } of files) {
    assetExtensions[firstPass.next()]?.add(key);
    if (sidecarPattern.test(key.toLowerCase())) sidecarIndexes.push(fileIndex);
    if (mayBeVolume(key)) volumeIndexes.push(fileIndex);
    fileIndex += 1;
  }
  const sidecars = new LowerCaseKeyIndex(files, sidecarIndexes);
  const volumes = splitArchivesIn(files, volumeIndexes);
  const [readableIndexes, sampledIndexes] = [new Uint32Array(files.length), new Uint32Array(files.length)];
  let [readableCount, sampledCount] = [0, 0];
  fileIndex = 0;
  const secondPass = assetIndexes(lengths);
  for (const { key } of files) {
    const bestRank = assetExtensions[secondPass.next()]?.bestRank ?? 0;
    const extension = extensionOf(key);
    const isReadable = (isDataExtension(`.${extension}`) || extension === 'mtl') && !isAuxiliaryXml(key);
    if (
      volumes.has(fileIndex) ||
      (isReadable && (extension !== 'xml' || bestRank >= firstSecondaryRank || isCaptureMetadata(key)))
    ) {
      readableIndexes[readableCount++] = fileIndex;
      if (isSampled(extension)) sampledIndexes[sampledCount++] = fileIndex;
    }
    fileIndex += 1;
  }
  const order = sampleFirst(readableIndexes.subarray(0, readableCount));
  const deep = new Set(sampleOf(sampledIndexes.subarray(0, sampledCount), maxSampledFiles));
  const isMain = mainExtensions(
    assetExtensions.reduce((bestRank, asset) => Math.min(bestRank, asset.bestRank), extensionRanks.length),
  );
  return { order, isMain, isMainOf: assetExtensions.map((asset) => asset.isMain), sidecars, deep, volumes };
}

/** Yields the asset of each file in turn. */
function assetIndexes(lengths: readonly number[]): { next(): number } {
  let [assetIndex, remaining] = [0, lengths[0] ?? 0];
  return {
    next: () => {
      while (remaining === 0 && assetIndex < lengths.length - 1) remaining = lengths[++assetIndex] ?? 0;
      remaining -= 1;
      return assetIndex;
    },
  };
}

const sampleOf = (indexes: Uint32Array, limit: number): readonly number[] =>
  spread(indexes.length, limit).map((index) => indexes[index] ?? 0);

/** Moves an evenly spread sample to the front. */
function sampleFirst(indexes: Uint32Array): Uint32Array {
  const samplePositions = spread(indexes.length, sampleSize);
  const orderedIndexes = new Uint32Array(indexes.length);
  orderedIndexes.set(sampleOf(indexes, sampleSize));
  let [targetOffset, sourceOffset] = [samplePositions.length, 0];
  for (const position of [...samplePositions, indexes.length]) {
    orderedIndexes.set(indexes.subarray(sourceOffset, position), targetOffset);
    targetOffset += position - sourceOffset;
    sourceOffset = position + 1;
  }
  return orderedIndexes;
}

/** Returns at most `limit` positions, spread and ascending. */
function spread(length: number, limit: number): readonly number[] {
  return Array.from({ length: Math.min(length, limit) }, (_, index) =>
    length <= limit ? index : Math.floor((index * length) / limit),
  );
}

/** In lower case, without the dot; may be empty. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  // Runs several times for 100,000 names; a regular expression takes ten times as long.
  if (dot < 1 || dot === name.length - 1 || name[dot - 1] === '/' || name.includes('/', dot)) return '';
  return name.slice(dot + 1).toLowerCase();
}
