import type { Confirmation, Journal } from './journal-model.ts';

export interface Confirmations {
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
 * Confirmations that arrive in one turn of the event loop share a transaction: with many small files the disk's sync would
 * otherwise set the pace.
 */
export function createConfirmations(journal: Pick<Journal, 'confirm'>): Confirmations {
  let waiting: Waiting[] = [];

  function flush(): void {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      journal.confirm(batch.map(({ confirmation }) => confirmation));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    add: (confirmation) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ confirmation, resolve, reject });
      }),
    flush,
  };
}
