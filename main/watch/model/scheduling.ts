import { setImmediate } from 'node:timers/promises';
import { within } from '../../abandoned-work.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { WorkLine } from '../../work-line.ts';

/** Rows per transaction: a few milliseconds' worth. */
const rowsAtOnce = 500;

/** Slices for one transaction each; yields in between, because 100,000 rows would block the thread. */
export async function* slicesOf<Item>(items: readonly Item[]): AsyncIterable<readonly Item[]> {
  for (let start = 0; start < items.length; start += rowsAtOnce) {
    yield items.slice(start, start + rowsAtOnce);
    await setImmediate();
  }
}

/** Wakes a loop on demand or after a timeout. A call of `wake` outside `wait` ends the next one. */
export class WakeSignal {
  #isWoken = false;
  #wake: (() => void) | null = null;

  wake(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        // Node fires timers with a longer delay at once.
        const timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1));
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = null;
    this.#isWoken = false;
  }
}

/** A longer scan no longer blocks the next one, ms: its drive may hang. */
const patienceMs = 5_000;

/**
 * Scans of whole folders on local drives run one at a time. A scan holds its results and a reader thread;
 * scans of many rules at once, as at startup, would use many times the usual memory.
 */
export class ScanQueue {
  readonly #line = new WorkLine();

  run<T>(scan: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>();
    const begin = () => {
      const work = scan();
      resolve(work);
      return within(work, patienceMs);
    };
    this.#line.run(begin).catch(() => {});
    return promise;
  }
}

/**
 * Whether a job blocks others. One that waits for the user, its drive or a terrain doesn't: it uses no
 * bandwidth and may wait for long.
 */
export function isAhead({ status, waitingFor }: Pick<JobSnapshot, 'status' | 'waitingFor'>): boolean {
  return (
    (status === 'queued' || status === 'creating' || status === 'uploading') &&
    waitingFor !== 'confirmation' &&
    waitingFor !== 'source' &&
    waitingFor !== 'terrain'
  );
}
