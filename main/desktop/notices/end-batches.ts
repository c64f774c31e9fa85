import type { Clock } from '../../outside.ts';

/** Which ends of uploads are told of together. */

/** An end waits no longer than this (ms) for the others of its batch. */
export const maxHeldMs = 10 * 60_000;
/** Whether others are still under way is looked at so often (ms) while an end waits for them. */
export const lookAgainMs = 5_000;

/** What has ended and was not told yet. */
export interface EndBatch<End> {
  readonly ends: readonly End[];
  /** When the first of them came, monotonic ms; null while there are none. */
  readonly since: number | null;
}

export const noEnds: EndBatch<never> = { ends: [], since: null };

/**
 * What becomes of a batch at a moment: told while nothing of it is under way any more, or the first end has
 * waited long enough; else held. Pure.
 *
 * @param now monotonic ms
 * @param underWay how many uploads would end soon without anyone's word
 */
export function batchAt<End>(
  { ends, since }: EndBatch<End>,
  now: number,
  underWay: number,
): { readonly batch: EndBatch<End>; readonly tell: readonly End[] } {
  if (since === null || ends.length === 0) return { batch: noEnds, tell: [] };
  const isDue = underWay === 0 || now - since >= maxHeldMs;
  return isDue ? { batch: noEnds, tell: ends } : { batch: { ends, since }, tell: [] };
}

interface EndBatches<End> {
  add(end: End): void;
  /** What is held is then told no more. */
  stop(): void;
}

/** Gathers ends until nothing is under way beside them, and tells of each once. */
export function createEndBatches<End>(
  clock: Pick<Clock, 'elapsed' | 'sleep'>,
  underWay: () => number,
  tell: (ends: readonly End[]) => void,
): EndBatches<End> {
  const stopped = new AbortController();
  let held: EndBatch<End> = noEnds;
  let waits = false;
  const look = () => {
    const { batch, tell: due } = batchAt(held, clock.elapsed(), underWay());
    held = batch;
    if (due.length > 0) tell(due);
    if (held.since !== null && !waits) wait();
  };
  const wait = () => {
    waits = true;
    clock.sleep(lookAgainMs, stopped.signal).then(
      () => {
        waits = false;
        look();
      },
      () => {},
    );
  };
  return {
    add: (end) => {
      held = { ends: [...held.ends, end], since: held.since ?? clock.elapsed() };
      look();
    },
    stop: () => stopped.abort(),
  };
}
