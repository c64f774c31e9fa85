import { setImmediate } from 'node:timers/promises';
import type { Log } from '../../log.ts';
import type { Journal } from './journal-model.ts';

/** Clears removed jobs from the journal page by page and returns the space to the disk. */
export class RemovedJobs {
  readonly #journal: Pick<Journal, 'clearRemoved' | 'giveBack'>;
  readonly #log: Log;
  #currentRun: Promise<void> | null = null;
  #isStopped = false;

  constructor(journal: Pick<Journal, 'clearRemoved' | 'giveBack'>, log: Log) {
    this.#journal = journal;
    this.#log = log;
  }

  clear(): void {
    this.#currentRun ??= this.#clearAll().finally(() => {
      this.#currentRun = null;
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#currentRun;
  }

  async #clearAll(): Promise<void> {
    try {
      do await setImmediate();
      while (!this.#isStopped && (this.#journal.clearRemoved() || this.#journal.giveBack()));
    } catch (error) {
      this.#log.warn({ error }, 'removed jobs are still in the journal');
    }
  }
}
