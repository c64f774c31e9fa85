import type { HeldQuestion, HoldWhy, StuckSource } from '../../../shared/watch.ts';
import { errorPhrase } from '../../../strings/said-error.ts';
import type { ErrorRecord } from '../../errors.ts';
import type { FoundSource } from '../model/model.ts';
import type { NotedFinding } from '../model/noted-findings.ts';
import type { AloneReason } from '../scan/skipped-files.ts';
import type { Pending } from '../settle/settle-source.ts';
import { isPassing, type SourceState } from './source-state.ts';
import type { WhatChanged } from './what-changed.ts';

interface Question {
  /** Null if unknown. */
  readonly changed: WhatChanged | null;
  readonly findings: readonly NotedFinding[];
}

/** A source whose state isn't in the ledger alone. */
export interface ListedSource {
  readonly path: string;
  readonly state: SourceState;
  /** ms since the epoch. */
  readonly startedAt: number;
  /** Null if it can't be read. */
  readonly source: FoundSource | null;
  readonly error: ErrorRecord | null;
  readonly pending?: Pending;
  readonly question?: Question;
  readonly skipReason?: AloneReason;
  /** Aborts when its state changes. */
  readonly stopping?: AbortController;
}

const maxStuck = 3;

/** The sources of one rule by path. Sources that are only in the ledger aren't listed. */
export class SourceList {
  readonly #byPath = new Map<string, ListedSource>();

  /** In insertion order. */
  get all(): Iterable<ListedSource> {
    return this.#byPath.values();
  }

  get(path: string): ListedSource | undefined {
    return this.#byPath.get(path);
  }

  /** In insertion order. */
  get pending(): Iterable<Pending> {
    return [...this.all].flatMap(({ pending }) => pending ?? []);
  }

  /** They wait for a job of the same source under another name. */
  get passedOver(): readonly string[] {
    return [...this.all].flatMap(({ path, state }) =>
      state.kind === 'waiting' && state.why === 'same-source' ? [path] : [],
    );
  }

  set(source: ListedSource): void {
    const previous = this.#byPath.get(source.path);
    if (previous?.stopping !== source.stopping) previous?.stopping?.abort();
    this.#byPath.set(source.path, source);
  }

  delete(path: string): void {
    this.#byPath.get(path)?.stopping?.abort();
    this.#byPath.delete(path);
  }

  clear(): void {
    for (const path of [...this.#byPath.keys()]) this.delete(path);
  }

  counts(): { settling: number; waiting: number; held: number; leftAlone: number } {
    const counts = { settling: 0, waiting: 0, held: 0, leftAlone: 0 };
    for (const { state } of this.all) {
      if (state.kind === 'held') counts.held += 1;
      else if (state.kind === 'skipped') counts.leftAlone += 1;
      else if (state.kind === 'settling' || (state.kind === 'waiting' && state.why === 'unreadable'))
        counts.settling += 1;
      else counts.waiting += 1;
    }
    return counts;
  }

  /** The start of the longest wait, ms since the epoch; infinite for none. */
  waitingSince(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const { state, startedAt } of this.all)
      if (isPassing(state)) earliest = Math.min(earliest, startedAt);
    return earliest;
  }

  /** The first few that wait for a reported reason. */
  get stuck(): readonly StuckSource[] {
    const stuck: StuckSource[] = [];
    for (const { path, state, error, pending } of this.all) {
      if (stuck.length >= maxStuck) break;
      if (pending?.notReady && pending.wait?.words === pending.reportedWait)
        stuck.push({ path, why: pending.notReady.reason });
      else if (error && isPassing(state)) stuck.push({ path, why: errorPhrase(error) });
    }
    return stuck;
  }

  get question(): HeldQuestion | null {
    const grouped = this.grouped;
    const why = grouped[0] && groupingReason(grouped[0]);
    return why ? { why, count: grouped.length } : null;
  }

  get grouped(): readonly ListedSource[] {
    const grouped = [...this.all].filter(groupingReason);
    const areMany = grouped.filter(isChanged).length > fewChanges;
    return areMany ? grouped : grouped.filter((source) => !isChanged(source));
  }
}

/** Up to this many changed sources are asked about one by one. */
export const fewChanges = 3;

const isChanged = ({ state }: ListedSource): boolean => state.kind === 'held' && state.why === 'changed';

/** These sources share one question. Undefined for others. */
const groupingReason = ({ state }: ListedSource): HeldQuestion['why'] | undefined =>
  state.kind === 'held' ? groupingReasons[state.why] : undefined;

const groupingReasons: Partial<Record<HoldWhy, HeldQuestion['why']>> = {
  ...{ changed: 'many-changed', 'many-changed': 'many-changed', restored: 'restored' },
};
