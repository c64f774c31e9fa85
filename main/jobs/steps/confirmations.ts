import type { Clock } from '../../outside.ts';
import type { Confirmation, Journal } from '../journal/journal-model.ts';

interface Confirmations {
  /** Resolves once it is in the journal. */
  add(confirmation: Confirmation): Promise<void>;
  /** Writes whatever waits, now. */
  flush(): void;
}

interface Waiting {
  readonly confirmation: Confirmation;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Between transactions this many times the last one's time passes: a slow disk gets a fifth of the thread.
 */
const pause = 4;
/** Also on the fastest disk each transaction costs as much as several rows. */
const minPauseMs = 20;
const maxPauseMs = 100;

/**
 * Confirmations that arrive close together share a transaction: with many small files the disk's sync would
 * otherwise set the pace. One that comes alone is written in the same turn of the event loop; while they
 * keep coming, a fast disk gets them every 20 ms, a slow one every 100 ms at most.
 */
export function createConfirmations(
  journal: Pick<Journal, 'confirm'>,
  clock: Pick<Clock, 'elapsed'>,
): Confirmations {
  let waiting: Waiting[] = [];
  let planned = false;
  let notBefore = Number.NEGATIVE_INFINITY;

  function plan(): void {
    if (planned) return;
    planned = true;
    const wait = Math.min(maxPauseMs, notBefore - clock.elapsed());
    if (wait > 0) setTimeout(flush, wait);
    else setImmediate(flush);
  }

  function flush(): void {
    planned = false;
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    const began = clock.elapsed();
    try {
      journal.confirm(batch.map(({ confirmation }) => confirmation));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    const ended = clock.elapsed();
    notBefore = ended + Math.max(minPauseMs, Math.min(maxPauseMs, pause * (ended - began)));
  }

  return {
    add: (confirmation) =>
      new Promise((resolve, reject) => {
        waiting.push({ confirmation, resolve, reject });
        plan();
      }),
    flush,
  };
}
