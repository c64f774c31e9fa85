import type { Said } from '../../../strings/phrase.ts';
import type { SourceSnapshot } from '../model/model.ts';
import { type LinksIn, maxExamples, type SeenLinks } from './links.ts';
import { placeBelow } from './tree.ts';

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
      const isFew = count <= maxExamples;
      const needed = isFew ? count : 1;
      if (lines + needed > maxLines) {
        remaining.links += count;
        remaining.folders += 1;
        remaining.since = Math.max(remaining.since, startedAt);
        continue;
      }
      lines += needed;
      if (isFew)
        for (const name of examples)
          yield line(ruleId, placeBelow(folder, name), 1, { key: 'sources.leftAlone.link' }, startedAt);
      else
        yield line(
          ruleId,
          placeBelow(folder, '*'),
          count,
          {
            key: 'sources.leftAlone.links',
            values: { count, names: { names: examples.slice(0, maxNamed) } },
          },
          startedAt,
        );
    }
    if (remaining.folders > 0)
      yield line(
        ruleId,
        '…',
        remaining.links,
        { key: 'sources.leftAlone.moreLinks', values: remaining },
        remaining.since,
      );
  }
}

function line(ruleId: string, path: string, files: number, why: Said, timestamp: number): SourceSnapshot {
  const noJob = { jobId: null, assetId: null, error: null, actions: [] };
  return { ruleId, path, files, bytes: 0, state: 'left-alone', why: [why], at: timestamp, ...noJob };
}
