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
 * @param underWay uploads that will finish without user action
 */
export function batchAt<End>(
  { ends, startedAt }: EndBatch<End>,
  nowMs: number,
  underWay: number,
): { readonly batch: EndBatch<End>; readonly dueEnds: readonly End[] } {
  if (startedAt === null || ends.length === 0) return { batch: noEnds, dueEnds: [] };
  const isDue = underWay === 0 || nowMs - startedAt >= maxHeldMs;
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
  underWay: () => number,
  report: (ends: readonly End[]) => void,
): EndBatches<End> {
  const stopped = new AbortController();
  let pending: EndBatch<End> = noEnds;
  let waits = false;
  const reportDue = () => {
    const { batch, dueEnds } = batchAt(pending, clock.elapsed(), underWay());
    pending = batch;
    if (dueEnds.length > 0) report(dueEnds);
    if (pending.startedAt !== null && !waits) checkLater();
  };
  const checkLater = () => {
    waits = true;
    clock.sleep(checkIntervalMs, stopped.signal).then(
      () => {
        waits = false;
        reportDue();
      },
      () => {},
    );
  };
  return {
    add: (end) => {
      pending = { ends: [...pending.ends, end], startedAt: pending.startedAt ?? clock.elapsed() };
      reportDue();
    },
    stop: () => stopped.abort(),
  };
}
