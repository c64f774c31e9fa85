import type { Said } from '../../../../strings/phrase.ts';
import { pathBelow, toKey } from '../../../files/paths.ts';
import type { Ledger } from '../../ledger/ledger-model.ts';
import type { SourceSnapshot } from '../../model.ts';
import type { WatchRule } from '../../rule.ts';
import type { Survey } from '../survey.ts';
import { Links } from './links-beside.ts';
import type { AloneReason, LeftAlone } from './sort-out.ts';

interface Listed extends LeftAlone {
  /** When it was first seen, ms since the epoch. */
  readonly since: number;
}

/**
 * The top-level entries of the watched folder that these absolute paths are in, as the ledger calls them;
 * null where one is the folder itself.
 */
export function topsOf(
  rule: Pick<WatchRule, 'folder'>,
  paths: readonly string[],
): ReadonlySet<string> | null {
  const tops = paths.map((path) => toKey(pathBelow(rule.folder, path) ?? '').split('/')[0] ?? '');
  return tops.includes('') ? null : new Set(tops);
}

/** Entries that are given out; all are counted. */
const maxListed = 500;

/**
 * What one rule has left alone. It is found again by every look; only what a person wants anyway is in the
 * ledger.
 */
export class LeftAloneSources {
  #byPath: ReadonlyMap<string, Listed> = new Map();
  readonly #links = new Links();

  get size(): number {
    return this.#byPath.size + this.#links.besideSources;
  }

  /** How many links in this source are not followed. */
  linksIn(source: string): number {
    return this.#links.in(source);
  }

  /**
   * Takes over what was found.
   *
   * @param tops the top-level entries that were looked at; null for all
   */
  meet({ sources, leftAlone, links }: Survey, tops: ReadonlySet<string> | null, now: number): void {
    const listed = new Map<string, Listed>();
    for (const [path, one] of this.#byPath) if (tops && !tops.has(path)) listed.set(path, one);
    for (const one of leftAlone) {
      const since = this.#byPath.get(one.found.path)?.since ?? now;
      listed.set(one.found.path, { ...one, since });
    }
    for (const { path } of sources) listed.delete(path);
    this.#byPath = listed;
    this.#links.meet(links, now);
  }

  clear(): void {
    this.#byPath = new Map();
    this.#links.clear();
  }

  /** These sources with the links in them, and what is left alone. */
  withThese(ruleId: string, sources: readonly SourceSnapshot[]): readonly SourceSnapshot[] {
    return [...sources, ...this.snapshots(ruleId)].map((source) => {
      const links = this.linksIn(source.path);
      return links === 0 ? source : { ...source, links };
    });
  }

  *snapshots(ruleId: string): Iterable<SourceSnapshot> {
    yield* this.#snapshots(ruleId);
    yield* this.#links.snapshots(ruleId);
  }

  *#snapshots(ruleId: string): Iterable<SourceSnapshot> {
    let left = maxListed;
    for (const { found, why, since } of this.#byPath.values()) {
      if (left-- === 0) return;
      yield {
        ruleId,
        path: found.path,
        files: found.files.length,
        bytes: found.bytes,
        state: 'left-alone',
        why: [words(why)],
        at: since,
        jobId: null,
        assetId: null,
        error: null,
        actions: ['take-anyway'],
      };
    }
  }

  /**
   * A person wants this one anyway: the ledger keeps that, so that the next look takes it. False for what is
   * not among them.
   */
  take(ruleId: string, path: string, ledger: Pick<Ledger, 'skip' | 'change'>, now: number): boolean {
    const one = this.#byPath.get(path);
    if (!one) return false;
    ledger.skip(ruleId, [one.found], now);
    ledger.change(ruleId, path, { wantedAt: now });
    return true;
  }
}

function words(why: AloneReason): Said {
  switch (why) {
    case 'no-data':
      return { key: 'sources.leftAlone.noData' };
    case 'other-kind':
      return { key: 'sources.leftAlone.otherKind' };
    case 'nothing-inside':
      return { key: 'sources.leftAlone.nothingInside' };
  }
}
