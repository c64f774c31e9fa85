import type { Clock } from '../../ports.ts';
import type { Confirmation, Journal } from '../journal/journal-model.ts';

interface Confirmations {
  add(confirmation: Confirmation): Promise<void>;
  flush(): void;
}

interface WaitingCheck {
  readonly confirmation: Confirmation;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Pause after a transaction, as a multiple of its duration: a slow disk takes a fifth of the thread. */
const pause = 4;
/** Even on the fastest disk a transaction costs several rows. */
const minPauseMs = 20;
const maxPauseMs = 100;

/**
 * A sync per small file would set the pace. A single confirmation is written in the same turn of the event
 * loop; continuous ones every 20 to 100 ms.
 */
export function createConfirmations(
  journal: Pick<Journal, 'confirm'>,
  clock: Pick<Clock, 'elapsed'>,
): Confirmations {
  let pendingChecks: WaitingCheck[] = [];
  let isScheduled = false;
  let notBefore = Number.NEGATIVE_INFINITY;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    const delayMs = Math.min(maxPauseMs, notBefore - clock.elapsed());
    if (delayMs > 0) setTimeout(flush, delayMs);
    else setImmediate(flush);
  }

  function flush(): void {
    isScheduled = false;
    const batch = pendingChecks;
    pendingChecks = [];
    if (batch.length === 0) return;
    const startedAt = clock.elapsed();
    try {
      journal.confirm(batch.map(({ confirmation }) => confirmation));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    const endTime = clock.elapsed();
    notBefore = endTime + Math.max(minPauseMs, Math.min(maxPauseMs, pause * (endTime - startedAt)));
  }

  return {
    add: (confirmation) =>
      new Promise((resolve, reject) => {
        pendingChecks.push({ confirmation, resolve, reject });
        schedule();
      }),
    flush,
  };
}
