import { isData } from '../formats/read-file.ts';
import { type FilesNamed, KeysInLowerCase } from './keys.ts';

/** Extensions of files with useful headers, the most informative first. */
const ranks = [
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
const firstAlone = 4;
const rankOf = new Map(ranks.flatMap((endings, rank) => endings.map((one) => [one, rank] as const)));

/**
 * Chooses at most `most` files to read first, spread over the source. Keeps a byte per file, since file
 * objects would take much memory.
 */
export function chooseForHeads<Named extends { readonly key: string }>(
  files: Iterable<Named> & { readonly length: number; at(place: number): Named | undefined },
  most: number,
): readonly Named[] {
  const rankAt = new Uint8Array(files.length);
  const ofRank = ranks.map(() => ({ length: 0 }));
  let place = 0;
  for (const { key } of files) {
    const rank = rankIn(key);
    rankAt[place++] = rank;
    const own = ofRank[rank];
    if (own) own.length += 1;
  }
  const chosen: Named[] = [];
  for (const { rank, places } of spreadOver(ofRank, most)) {
    let [at, passed] = [-1, -1];
    for (const nth of places) {
      while (passed < nth) if (rankAt[++at] === rank) passed += 1;
      const file = files.at(at);
      if (file) chosen.push(file);
    }
  }
  return chosen;
}

/** `ranks.length` for files without useful headers. */
const rankIn = (key: string): number => rankOf.get(extensionOf(key)) ?? ranks.length;

function spreadOver(byRank: readonly { readonly length: number }[], most: number) {
  const chosen: { readonly rank: number; readonly places: readonly number[] }[] = [];
  let count = 0;
  for (const [rank, { length }] of byRank.entries()) {
    if (count > 0 && rank >= firstAlone) break;
    const places = spread(length, most - count);
    chosen.push({ rank, places });
    count += places.length;
  }
  return chosen;
}

/** The files to read and their order. */
export interface LookPlan {
  /** Indexes: first a spread sample, then the others in order. */
  readonly order: Uint32Array;
  /** Whether files of an extension are data. */
  readonly isMain: (ending: string) => boolean;
  /** `isMain` for each asset. */
  readonly isMainOf: readonly LookPlan['isMain'][];
  /** Sidecar indexes by lower-case key, since some programs write `a.PRJ` next to `A.asc`. */
  readonly sidecars: Pick<ReadonlyMap<string, number>, 'get'>;
  /** Indexes of files whose data is sampled. */
  readonly deep: ReadonlySet<number>;
}

const first = 64;
/** Sampling data takes ten times as long as reading a header. */
const maxDeep = 200;
/** Sidecars of rasters, including world files: see `sidecar-names.ts`. */
const sidecarName = /\.(?:prj|tab|hdr|aux\.xml|[tjp][fg]w|tiff?w|jpe?gw|pngw|wld)$/;

/** An `.aux.xml` describes another file and holds no data. */
const isOfAnother = (key: string): boolean => key.toLowerCase().endsWith('.aux.xml');

/** The file in which photogrammetry programs store the position of their models. */
export const isOfCapture = (key: string): boolean => /(?:^|\/)metadata\.xml$/i.test(key);

const mainBeside =
  (best: number): LookPlan['isMain'] =>
  (ending) =>
    best >= firstAlone || ending === 'zip' || (rankOf.get(ending) ?? 0) < firstAlone;

const models = new Set(['obj', 'dae', 'fbx', 'gltf', 'glb', 'ply']);
/** From this rank on, files are textures if there are models. */
const firstTexture = 3;

/** Determines the data extensions of an asset. */
export class MainEndings {
  #best = ranks.length;
  #hasModels = false;

  add(key: string): void {
    this.#best = Math.min(this.#best, rankIn(key));
    this.#hasModels ||= models.has(extensionOf(key));
  }

  get best(): number {
    return this.#best;
  }

  get isMain(): LookPlan['isMain'] {
    const isModel = this.#hasModels && this.#best >= firstTexture;
    if (!isModel) return mainBeside(this.#best);
    return (ending) => ending === 'zip' || (rankOf.get(ending) ?? 0) < firstTexture;
  }
}

/**
 * Plans to read all files with data or references. XML descriptions only count if an asset has nothing
 * better, except those of captures.
 *
 * @param lengths number of files per asset, in the order of `files`; default: one asset
 */
export function planLooks(files: FilesNamed, lengths: readonly number[] = [files.length]): LookPlan {
  const besides: number[] = [];
  const mains = lengths.map(() => new MainEndings());
  const groups = groupsIn(lengths);
  let at = 0;
  for (const { key } of files) {
    mains[groups.next()]?.add(key);
    if (sidecarName.test(key.toLowerCase())) besides.push(at);
    at += 1;
  }
  const sidecars = new KeysInLowerCase(files, besides);
  const [worth, unpackable] = [new Uint32Array(files.length), new Uint32Array(files.length)];
  let [count, unpackableCount] = [0, 0];
  at = 0;
  const again = groupsIn(lengths);
  for (const { key } of files) {
    const best = mains[again.next()]?.best ?? 0;
    const ending = extensionOf(key);
    const isWorth = (isData(`.${ending}`) || ending === 'mtl') && !isOfAnother(key);
    if (isWorth && (ending !== 'xml' || best >= firstAlone || isOfCapture(key))) {
      worth[count++] = at;
      if (/^(?:tiff?|laz)$/.test(ending)) unpackable[unpackableCount++] = at;
    }
    at += 1;
  }
  const order = spreadFirst(worth.subarray(0, count));
  const deep = new Set(someOf(unpackable.subarray(0, unpackableCount), maxDeep));
  const isMain = mainBeside(mains.reduce((best, one) => Math.min(best, one.best), ranks.length));
  return { order, isMain, isMainOf: mains.map((one) => one.isMain), sidecars, deep };
}

/** Yields the asset of each file in turn. */
function groupsIn(lengths: readonly number[]): { next(): number } {
  let [group, left] = [0, lengths[0] ?? 0];
  return {
    next: () => {
      while (left === 0 && group < lengths.length - 1) left = lengths[++group] ?? 0;
      left -= 1;
      return group;
    },
  };
}

const someOf = (indices: Uint32Array, most: number): readonly number[] =>
  spread(indices.length, most).map((place) => indices[place] ?? 0);

/** Moves an evenly spread sample to the front. */
function spreadFirst(indices: Uint32Array): Uint32Array {
  const early = spread(indices.length, first);
  const order = new Uint32Array(indices.length);
  order.set(someOf(indices, first));
  let [to, from] = [early.length, 0];
  for (const place of [...early, indices.length]) {
    order.set(indices.subarray(from, place), to);
    to += place - from;
    from = place + 1;
  }
  return order;
}

/** Returns at most `most` positions, spread and ascending. */
function spread(length: number, most: number): readonly number[] {
  return Array.from({ length: Math.min(length, most) }, (_, nth) =>
    length <= most ? nth : Math.floor((nth * length) / most),
  );
}

/** In lower case, without the dot; may be empty. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  // Runs several times for 100,000 names; a regular expression takes ten times as long.
  if (dot < 1 || dot === name.length - 1 || name[dot - 1] === '/' || name.includes('/', dot)) return '';
  return name.slice(dot + 1).toLowerCase();
}
