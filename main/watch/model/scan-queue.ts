import type { Clock } from '../../outside.ts';

/** A longer scan no longer blocks the next one, ms: its drive may hang. */
const patienceMs = 5_000;
/** Fewer files in total leave little garbage. */
const fewFiles = 5_000;

/** A scan of one whole folder. */
export interface LookTurn {
  /** @param files the number of files found */
  end(files: number): void;
}

/**
 * Queues scans of whole folders on local drives. A scan holds its results and a reader thread; scans of many
 * rules at once, as at startup, would use many times the usual memory.
 */
export class LookTurns {
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #onLooked: () => void;
  #queueTail: Promise<void> = Promise.resolve();
  #pendingCount = 0;
  #files = 0;

  /** `onLooked`: all scans of many files have ended and their memory is free. */
  constructor(clock: Pick<Clock, 'sleep'>, onLooked: () => void) {
    this.#clock = clock;
    this.#onLooked = onLooked;
  }

  /** Resolves when the scan may begin. Throws the signal's reason. */
  async take(signal: AbortSignal): Promise<LookTurn> {
    const previous = this.#queueTail;
    const endController = new AbortController();
    this.#queueTail = previous
      .then(() => this.#clock.sleep(patienceMs, endController.signal))
      // Ignore the abort of an early end.
      .catch(() => {});
    this.#pendingCount += 1;
    const end = (files: number) => {
      endController.abort();
      this.#pendingCount -= 1;
      this.#files += files;
      if (this.#pendingCount > 0 || this.#files < fewFiles) return;
      this.#files = 0;
      this.#onLooked();
    };
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      signal.throwIfAborted();
      await Promise.race([previous, aborted]);
      return { end };
    } catch (reason) {
      end(0);
      throw reason;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}
