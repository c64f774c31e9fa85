import type { Clock } from '../outside.ts';

/** A look that takes longer no longer keeps the next waiting, ms: its drive may be asleep, or hang. */
const patienceMs = 5_000;
/** Looks that have found fewer files together leave little behind. */
const fewFiles = 5_000;

/** One look through a whole folder. */
export interface LookTurn {
  /** It is over. @param files how many it has found */
  end(files: number): void;
}

/**
 * Looks through whole folders on local drives, one after the other. A look holds all that it finds until that
 * is decided, and a thread that reads: of many rules at once, as at the start, that would add up to many
 * times what watching needs.
 */
export class LookTurns {
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #onLooked: () => void;
  /** Settles when the last that waits may let the next begin. */
  #last: Promise<void> = Promise.resolve();
  #under = 0;
  #files = 0;

  /** `onLooked`: looks that have found many files are all over; what they held is held no more. */
  constructor(clock: Pick<Clock, 'sleep'>, onLooked: () => void) {
    this.#clock = clock;
    this.#onLooked = onLooked;
  }

  /** Settles when it may begin. Throws the signal's reason when it aborts before. */
  async take(signal: AbortSignal): Promise<LookTurn> {
    const before = this.#last;
    const over = new AbortController();
    this.#last = before
      .then(() => this.#clock.sleep(patienceMs, over.signal))
      // It ended earlier.
      .catch(() => {});
    this.#under += 1;
    const end = (files: number) => {
      over.abort();
      this.#under -= 1;
      this.#files += files;
      if (this.#under > 0 || this.#files < fewFiles) return;
      this.#files = 0;
      this.#onLooked();
    };
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      signal.throwIfAborted();
      await Promise.race([before, aborted]);
      return { end };
    } catch (reason) {
      end(0);
      throw reason;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}
