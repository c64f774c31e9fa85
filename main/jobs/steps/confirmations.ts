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
const maxPauseMs = 100;

/**
 * Confirmations that arrive close together share a transaction: with many small files the disk's sync would
 * otherwise set the pace. On a fast disk that is one turn of the event loop, on a slow one up to 100 ms.
 */
export function createConfirmations(
  journal: Pick<Journal, 'confirm'>,
  clock: Pick<Clock, 'now'>,
): Confirmations {
  let waiting: Waiting[] = [];
  let planned = false;
  let notBefore = 0;

  function plan(): void {
    if (planned) return;
    planned = true;
    const wait = Math.min(maxPauseMs, notBefore - clock.now());
    if (wait > 0) setTimeout(flush, wait);
    else setImmediate(flush);
  }

  function flush(): void {
    planned = false;
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    const began = clock.now();
    try {
      journal.confirm(batch.map(({ confirmation }) => confirmation));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    const ended = clock.now();
    notBefore = ended + Math.min(maxPauseMs, pause * Math.max(0, ended - began));
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
