import type { Said } from '../../../strings/phrase.ts';
import { toKey } from '../../files/paths.ts';
import type { SourceSnapshot } from '../model/model.ts';
import type { Pause } from '../model/scheduling.ts';
import { sourcePath } from './folder/paths.ts';
import type { SourcePlan } from './found-source.ts';
import { type Listing, placeBelow, type Tree } from './tree.ts';

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

/** Limit per folder. */
const maxExamples = 5;

/** Returns links by folder, with the source that contains it. `plans`: of sources with files. */
export async function linksSeen(tree: Tree, plans: readonly SourcePlan[], pause: Pause): Promise<SeenLinks> {
  const holders = new Map<string, string>();
  for (const { place, folders } of plans) {
    for (const folder of folders) holders.set(toKey(folder), sourcePath(place));
    await pause();
  }
  const linksByFolder: LinksIn[] = [];
  const listings = new Map<string, Listing | null>();
  for (const [place, listing] of tree.listings) {
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
  const isSeen = (folder: string) => {
    const around = withThoseAround(folder).find((place) => listings.has(place));
    if (around === undefined || around === folder) return around === folder;
    const name = folder.slice(around === '' ? 0 : around.length + 1).split('/')[0] ?? '';
    return listings.get(around)?.find(name, 'folders') === undefined;
  };
  return { links: linksByFolder.sort((a, b) => (a.folder < b.folder ? -1 : 1)), isSeen };
}

/** The folder and its parents, nearest first; the watched folder (empty) last. */
function withThoseAround(folder: string): readonly string[] {
  const names = folder === '' ? [] : folder.split('/');
  return [...names.keys()].map((index) => names.slice(0, names.length - index).join('/')).concat('');
}

const maxLines = 20;
const maxNamed = 3;

/**
 * The links of one rule: those outside sources are listed as skipped, the others are reported with their
 * source. Any number takes only a few entries.
 */
export class Links {
  #byFolder: ReadonlyMap<string, LinksIn & { readonly startedAt: number }> = new Map();
  #inSources: ReadonlyMap<string, number> = new Map();

  /** Outside sources. */
  get besideSources(): number {
    let count = 0;
    for (const folderLinks of this.#byFolder.values())
      if (folderLinks.source === null) count += folderLinks.count;
    return count;
  }

  countIn(source: string): number {
    return this.#inSources.get(source) ?? 0;
  }

  /** `currentTime`: ms since the epoch. */
  record({ links, isSeen }: SeenLinks, currentTime: number): void {
    const byFolder = new Map([...this.#byFolder].filter(([folder]) => !isSeen(folder)));
    for (const folderLinks of links)
      byFolder.set(folderLinks.folder, {
        ...folderLinks,
        startedAt: this.#byFolder.get(folderLinks.folder)?.startedAt ?? currentTime,
      });
    const inSources = new Map<string, number>();
    for (const { source, count } of byFolder.values())
      if (source !== null) inSources.set(source, (inSources.get(source) ?? 0) + count);
    this.#byFolder = byFolder;
    this.#inSources = inSources;
  }

  clear(): void {
    this.#byFolder = new Map();
    this.#inSources = new Map();
  }

  *snapshots(ruleId: string): Iterable<SourceSnapshot> {
    let lines = 0;
    const remaining = { links: 0, folders: 0, since: 0 };
    for (const { source, folder, count, examples, startedAt } of this.#byFolder.values()) {
      if (source !== null) continue;
      const names = { names: examples.slice(0, maxNamed) };
      const many: Said = { key: 'sources.leftAlone.links', values: { count, names } };
      const rows =
        count > maxExamples
          ? [line(ruleId, placeBelow(folder, '*'), count, many, startedAt)]
          : examples.map((name) =>
              line(ruleId, placeBelow(folder, name), 1, { key: 'sources.leftAlone.link' }, startedAt),
            );
      if (lines + rows.length > maxLines) {
        remaining.links += count;
        remaining.folders += 1;
        remaining.since = Math.max(remaining.since, startedAt);
        continue;
      }
      lines += rows.length;
      yield* rows;
    }
    const more: Said = { key: 'sources.leftAlone.moreLinks', values: remaining };
    if (remaining.folders > 0) yield line(ruleId, '…', remaining.links, more, remaining.since);
  }
}

function line(ruleId: string, path: string, files: number, why: Said, timestamp: number): SourceSnapshot {
  const noJob = { jobId: null, assetId: null, error: null, actions: [] };
  return { ruleId, path, files, bytes: 0, state: 'left-alone', why: [why], at: timestamp, ...noJob };
}
