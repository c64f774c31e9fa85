import { isData } from '../formats/read-file.ts';
import { type FilesNamed, KeysInLowerCase } from './keys.ts';

/** Files whose heads tell something, by their endings. What says more of a source stands first. */
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
/** Beside others these are textures, descriptions and archives. */
const firstAlone = 4;
const rankOf = new Map(ranks.flatMap((endings, rank) => endings.map((one) => [one, rank] as const)));

/**
 * The files whose heads are worth reading before all others: at most `most`, spread over the source. It keeps
 * a byte of each file, and those that are chosen are made at last.
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

/** One past the last for files whose heads tell nothing. */
const rankIn = (key: string): number => rankOf.get(extensionOf(key)) ?? ranks.length;

/** Which of the files of each rank are chosen: places among them, by how many there are. */
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

/** Which files of a source are looked into, and in which order. */
export interface LookPlan {
  /** Indices of the files: first some that are spread over the source, then the others as they came. */
  readonly order: Uint32Array;
  /**
   * Whether files of an extension are what the source is made of, rather than textures and descriptions
   * beside it.
   */
  readonly isMain: (ending: string) => boolean;
  /** The same for each of the assets, which may be of other kinds. */
  readonly isMainOf: readonly LookPlan['isMain'][];
  /**
   * Files that may name the coordinate system of the one beside them, or tell its place: indices by keys in
   * lower case, since some programs write `a.PRJ` beside `A.asc`.
   */
  readonly sidecars: Pick<ReadonlyMap<string, number>, 'get'>;
  /** Indices of the files of which some of the data is looked at, spread over the source. */
  readonly deep: ReadonlySet<number>;
}

const first = 64;
/** Looking at data takes ten times as long as at a head. */
const maxDeep = 200;
/** Of files beside a raster, world files among them: `sidecar-names.ts`. */
const sidecarName = /\.(?:prj|tab|hdr|aux\.xml|[tjp][fg]w|tiff?w|jpe?gw|pngw|wld)$/;

/** An `.aux.xml` says something of the file beside it, and holds none of the data itself. */
const isOfAnother = (key: string): boolean => key.toLowerCase().endsWith('.aux.xml');

/** What photogrammetry programs call the file that says where their models lie. */
export const isOfCapture = (key: string): boolean => /(?:^|\/)metadata\.xml$/i.test(key);

/** Of what is best in some files, whether an extension is what they are made of. */
const mainBeside =
  (best: number): LookPlan['isMain'] =>
  (ending) =>
    best >= firstAlone || ending === 'zip' || (rankOf.get(ending) ?? 0) < firstAlone;

const models = new Set(['obj', 'dae', 'fbx', 'gltf', 'glb', 'ply']);
/** Beside models these are textures. */
const firstTexture = 3;

/** Told of the files of one asset, whether an extension is what that is made of. */
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
 * All files that hold data, or name what does; descriptions in XML only where nothing else of the asset does,
 * but for those of captures.
 *
 * @param lengths how many of the files, which are in the order of the assets, are in each; default: one asset
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

/** Tells of one file after the other in which asset it is. */
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

/** At most so many of them, spread over all. */
const someOf = (indices: Uint32Array, most: number): readonly number[] =>
  spread(indices.length, most).map((place) => indices[place] ?? 0);

/** A few that are spread over all of them, then the others as they are. */
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

/** Places of at most so many, spread over all; in ascending order. */
function spread(length: number, most: number): readonly number[] {
  return Array.from({ length: Math.min(length, most) }, (_, nth) =>
    length <= most ? nth : Math.floor((nth * length) / most),
  );
}

/** In lower case, without the dot; empty without one. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  // Of 100,000 names several times: an expression takes ten times as long.
  if (dot < 1 || dot === name.length - 1 || name[dot - 1] === '/' || name.includes('/', dot)) return '';
  return name.slice(dot + 1).toLowerCase();
}
