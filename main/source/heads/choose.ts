import { isData } from '../formats/read-file.ts';
import type { Page } from '../pages.ts';

/** Files whose heads tell something, by their endings. What says more of a source stands first. */
const ranks = [
  ['gml', 'citygml'],
  ['las', 'laz'],
  ['asc'],
  ['tif', 'tiff', 'img'],
  ['jpg', 'jpeg'],
  ['png'],
  ['xml'],
];
/** Beside others these are textures and descriptions. */
const firstAlone = 4;
const rankOf = new Map(ranks.flatMap((endings, rank) => endings.map((one) => [one, rank] as const)));

/**
 * The files whose heads are worth reading before all others: at most `most`, spread over the source. For the
 * files of one folder; `chooseInPages` for any number.
 */
export function chooseForHeads<Named extends { readonly key: string }>(
  files: readonly Named[],
  most: number,
): readonly Named[] {
  const byRank: Named[][] = ranks.map(() => []);
  for (const file of files) rankedIn(byRank, file.key)?.push(file);
  return spreadOver(byRank, most);
}

/** The same, page by page. */
export async function chooseInPages<Named extends { readonly key: string }>(
  files: readonly Named[],
  most: number,
  page: Page,
): Promise<readonly Named[]> {
  const byRank: Named[][] = ranks.map(() => []);
  for (const file of files) {
    rankedIn(byRank, file.key)?.push(file);
    if (page.isFull()) await page.turn();
  }
  return spreadOver(byRank, most);
}

/** Undefined for files whose heads tell nothing. */
const rankedIn = <Named>(byRank: readonly Named[][], key: string): Named[] | undefined =>
  byRank[rankOf.get(extensionOf(key)) ?? ranks.length];

function spreadOver<Named>(byRank: readonly (readonly Named[])[], most: number): readonly Named[] {
  const chosen: Named[] = [];
  for (const [rank, files] of byRank.entries()) {
    if (chosen.length > 0 && rank >= firstAlone) break;
    chosen.push(...spread(files, most - chosen.length));
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
  /**
   * Files that may name the coordinate system of the one beside them, or tell its place: indices by keys in
   * lower case, since some programs write `a.PRJ` beside `A.asc`.
   */
  readonly sidecars: ReadonlyMap<string, number>;
  /** Indices of the files of which some of the data is looked at, spread over the source. */
  readonly deep: ReadonlySet<number>;
}

const first = 64;
/** Looking at data takes ten times as long as at a head. */
const maxDeep = 200;
/** Of files beside a raster, world files among them: `sidecar-names.ts`. */
const sidecarName = /\.(?:prj|tab|aux\.xml|[tjp][fg]w|tiff?w|jpe?gw|pngw|wld)$/;

/** An `.aux.xml` says something of the file beside it, and holds none of the data itself. */
const isOfAnother = (key: string): boolean => key.toLowerCase().endsWith('.aux.xml');

/** How many names have an extension. */
export function countEndings(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) {
    const ending = extensionOf(name);
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  return counts;
}

/** What photogrammetry programs call the file that says where their models lie. */
export const isOfCapture = (key: string): boolean => /(?:^|\/)metadata\.xml$/i.test(key);

/**
 * All files that hold data, or name what does; descriptions in XML only where nothing else does, but for
 * those of captures.
 */
export function planLooks(keys: readonly string[]): LookPlan {
  const endings = countEndings(keys);
  const sidecars = new Map<string, number>();
  for (const [index, key] of keys.entries()) {
    const low = key.toLowerCase();
    if (sidecarName.test(low)) sidecars.set(low, index);
  }
  const best = Math.min(...[...endings.keys()].map((ending) => rankOf.get(ending) ?? ranks.length));
  const isMain = (ending: string) => best >= firstAlone || (rankOf.get(ending) ?? 0) < firstAlone;
  const worth = [...keys.keys()].filter((index) => {
    const ending = extensionOf(keys[index] ?? '');
    const isWorth = (isData(`.${ending}`) || ending === 'mtl') && !isOfAnother(keys[index] ?? '');
    return isWorth && (ending !== 'xml' || best >= firstAlone || isOfCapture(keys[index] ?? ''));
  });
  const early = new Set(spread(worth, first));
  const order = Uint32Array.from([...early, ...worth.filter((index) => !early.has(index))]);
  const isUnpackable = (index: number) => {
    const key = keys[index] ?? '';
    const ending = extensionOf(key);
    if (/^(?:tiff?|laz)$/.test(ending)) return true;
    // A picture is looked at where something beside it may tell its place.
    if (!/^(?:png|jpe?g)$/.test(ending) || !isMain(ending)) return false;
    const low = key.toLowerCase();
    const stem = low.slice(0, low.lastIndexOf('.'));
    const worlds = [`${ending[0]}gw`, `${ending}w`, 'wld'].map((world) => `${stem}.${world}`);
    return [`${low}.aux.xml`, ...worlds].some((name) => sidecars.has(name));
  };
  const unpackable = worth.filter(isUnpackable);
  return { order, isMain, sidecars, deep: new Set(spread(unpackable, maxDeep)) };
}

function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)]).filter(
    (item) => item !== undefined,
  );
}

/** In lower case, without the dot; empty without one. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  // Of 100,000 names several times: an expression takes ten times as long.
  if (dot < 1 || dot === name.length - 1 || name[dot - 1] === '/' || name.includes('/', dot)) return '';
  return name.slice(dot + 1).toLowerCase();
}
