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
  #byFolder: ReadonlyMap<string, LinksIn & { readonly since: number }> = new Map();
  #inSources: ReadonlyMap<string, number> = new Map();

  /** Outside sources. */
  get besideSources(): number {
    let count = 0;
    for (const one of this.#byFolder.values()) if (one.source === null) count += one.count;
    return count;
  }

  in(source: string): number {
    return this.#inSources.get(source) ?? 0;
  }

  /** `now`: ms since the epoch. */
  meet({ found, isSeen }: SeenLinks, now: number): void {
    const kept = new Map([...this.#byFolder].filter(([folder]) => !isSeen(folder)));
    for (const one of found)
      kept.set(one.folder, { ...one, since: this.#byFolder.get(one.folder)?.since ?? now });
    const inSources = new Map<string, number>();
    for (const { source, count } of kept.values())
      if (source !== null) inSources.set(source, (inSources.get(source) ?? 0) + count);
    this.#byFolder = kept;
    this.#inSources = inSources;
  }

  clear(): void {
    this.#byFolder = new Map();
    this.#inSources = new Map();
  }

  *snapshots(ruleId: string): Iterable<SourceSnapshot> {
    let lines = 0;
    const rest = { links: 0, folders: 0, since: 0 };
    for (const { source, folder, count, examples, since } of this.#byFolder.values()) {
      if (source !== null) continue;
      const isFew = count <= maxExamples;
      const needed = isFew ? count : 1;
      if (lines + needed > maxLines) {
        rest.links += count;
        rest.folders += 1;
        rest.since = Math.max(rest.since, since);
        continue;
      }
      lines += needed;
      if (isFew)
        for (const name of examples)
          yield line(ruleId, placeBelow(folder, name), 1, { key: 'sources.leftAlone.link' }, since);
      else
        yield line(
          ruleId,
          placeBelow(folder, '*'),
          count,
          {
            key: 'sources.leftAlone.links',
            values: { count, names: { names: examples.slice(0, maxNamed) } },
          },
          since,
        );
    }
    if (rest.folders > 0)
      yield line(ruleId, '…', rest.links, { key: 'sources.leftAlone.moreLinks', values: rest }, rest.since);
  }
}

function line(ruleId: string, path: string, files: number, why: Said, at: number): SourceSnapshot {
  const nobody = { jobId: null, assetId: null, error: null, actions: [] };
  return { ruleId, path, files, bytes: 0, state: 'left-alone', why: [why], at, ...nobody };
}
