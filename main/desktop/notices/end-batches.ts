import type { Clock } from '../../ports.ts';

/** Maximum delay, ms. */
export const maxHeldMs = 10 * 60_000;
export const checkIntervalMs = 5_000;

/** Finished uploads that weren't reported yet. */
export interface EndBatch<End> {
  readonly ends: readonly End[];
  /** Monotonic ms; null for none. */
  readonly startedAt: number | null;
}

export const noEnds: EndBatch<never> = { ends: [], startedAt: null };

/**
 * Reports all once no upload is in progress or the first has waited long enough. Pure.
 * @param nowMs monotonic ms
 * @param underWayCount uploads that will finish without user action
 */
export function batchAt<End>(
  { ends, startedAt }: EndBatch<End>,
  nowMs: number,
  underWayCount: number,
): { readonly batch: EndBatch<End>; readonly dueEnds: readonly End[] } {
  if (startedAt === null || ends.length === 0) return { batch: noEnds, dueEnds: [] };
  const isDue = underWayCount === 0 || nowMs - startedAt >= maxHeldMs;
  return isDue ? { batch: noEnds, dueEnds: ends } : { batch: { ends, startedAt }, dueEnds: [] };
}

interface EndBatches<End> {
  add(end: End): void;
  /** Discards the batch. */
  stop(): void;
}

/** Reports each once. */
export function createEndBatches<End>(
  clock: Pick<Clock, 'elapsed' | 'sleep'>,
  underWayCount: () => number,
  report: (endedJobs: readonly End[]) => void,
): EndBatches<End> {
  const stopController = new AbortController();
  let pendingBatch: EndBatch<End> = noEnds;
  let isWaiting = false;
  const reportDue = () => {
    const { batch, dueEnds } = batchAt(pendingBatch, clock.elapsed(), underWayCount());
    pendingBatch = batch;
    if (dueEnds.length > 0) report(dueEnds);
    if (pendingBatch.startedAt !== null && !isWaiting) checkLater();
  };
  const checkLater = () => {
    isWaiting = true;
    clock.sleep(checkIntervalMs, stopController.signal).then(
      () => {
        isWaiting = false;
        reportDue();
      },
      () => {},
    );
  };
  return {
    add: (end) => {
      pendingBatch = {
        ends: [...pendingBatch.ends, end],
        startedAt: pendingBatch.startedAt ?? clock.elapsed(),
      };
      reportDue();
    },
    stop: () => stopController.abort(),
  };
}
