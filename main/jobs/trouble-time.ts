/** Trouble that returns within this time counts as the same, ms. */
const calmMs = 60_000;

export interface Moment {
  /** Ms since the epoch. */
  readonly at: number;
  /** Ms, monotonic. */
  readonly elapsed: number;
}

/**
 * Tracks periods of trouble, from the first failure to the progress that no failure follows for a minute.
 * Occasional failures among many successful requests count as one period.
 */
export class TroubleTime {
  #isOpen = false;
  /** First progress since the last failure. */
  #progressedAt: Moment | null = null;

  /** Records a failure. Returns whether a period begins. */
  recordFailure(): boolean {
    const begins = !this.#isOpen;
    this.#isOpen = true;
    this.#progressedAt = null;
    return begins;
  }

  progress(moment: Moment): void {
    if (this.#isOpen) this.#progressedAt ??= moment;
  }

  /** Returns once when the trouble ended (ms since the epoch), a minute after it did; else null. */
  endIfOver(moment: Moment): number | null {
    return this.#progressedAt && moment.elapsed - this.#progressedAt.elapsed >= calmMs ? this.close() : null;
  }

  /** Ends the period. Returns when the trouble had ended; null if it hadn't. */
  close(): number | null {
    const endedAt = this.#progressedAt?.at ?? null;
    this.#isOpen = false;
    this.#progressedAt = null;
    return endedAt;
  }
}
