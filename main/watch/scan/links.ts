import { toKey } from '../../files/paths.ts';
import type { Pause } from '../model/pause.ts';
import type { SourcePlan } from './found-source.ts';
import type { Listing, Tree } from './tree.ts';

/** Links, including junctions, aren't followed, so only their names are known. */
export interface LinksIn {
  /** Relative to the watched folder, `/`-separated, NFC. */
  readonly folder: string;
  readonly count: number;
  readonly examples: readonly string[];
  /** The source that contains them (ledger key), or null. */
  readonly source: string | null;
}

export interface SeenLinks {
  readonly links: readonly LinksIn[];
  /** The scan read this folder or found it gone, so earlier links don't count. */
  readonly isSeen: (folder: string) => boolean;
}

/** Without a trigger file, earlier links no longer count. */
export const noLinks: SeenLinks = { links: [], isSeen: () => true };

/** Limit per folder. */
export const maxExamples = 5;

/** Returns links by folder, with the source that contains it. `plans`: of sources with files. */
export async function linksSeen(tree: Tree, plans: readonly SourcePlan[], pause: Pause): Promise<SeenLinks> {
  const holders = new Map<string, string>();
  for (const { place, folders } of plans) {
    for (const folder of folders) holders.set(toKey(folder), toKey(place) || '.');
    await pause();
  }
  const linksByFolder: LinksIn[] = [];
  const listings = new Map<string, Listing | null>();
  for (const [place, listing] of tree.looked) {
    const folder = toKey(place);
    listings.set(folder, listing);
    const links = listing?.links ?? [];
    if (links.length > 0) {
      const examples = links.slice().sort().slice(0, maxExamples).map(toKey);
      const around = withThoseAround(folder).find((parent) => holders.has(parent));
      const source = around === undefined ? null : (holders.get(around) ?? null);
      linksByFolder.push({ folder, count: links.length, examples, source });
    }
    await pause();
  }
  const isGone = (folder: string, around: string) => {
    const listing = listings.get(around);
    if (listing === undefined || folder === around) return false;
    const name = folder.slice(around === '' ? 0 : around.length + 1).split('/')[0] ?? '';
    return listing?.find(name, 'folders') === undefined;
  };
  const isSeen = (folder: string) =>
    listings.has(folder) || withThoseAround(folder).some((around) => isGone(folder, around));
  return { links: linksByFolder.sort((a, b) => (a.folder < b.folder ? -1 : 1)), isSeen };
}

/** The folder and its parents, nearest first; the watched folder (empty) last. */
function withThoseAround(folder: string): readonly string[] {
  const names = folder === '' ? [] : folder.split('/');
  return [...names.keys()].map((index) => names.slice(0, names.length - index).join('/')).concat('');
}
