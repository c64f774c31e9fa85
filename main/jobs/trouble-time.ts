/** Trouble that comes back within this time is still the same, ms. */
const calmMs = 60_000;

/** A moment on both clocks. */
export interface Moment {
  /** ms since the epoch. */
  readonly at: number;
  /** ms of a clock that never jumps. */
  readonly elapsed: number;
}

/**
 * A time of trouble lasts from the first thing that went wrong to the progress after which nothing did for a
 * minute. Fifty requests that fail now and then while others get through are one such time, not fifty.
 */
export class TroubleTime {
  #isOpen = false;
  /** When it first got further again; null while it does not. */
  #better: Moment | null = null;

  /** Something went wrong. True where a time of trouble begins with it. */
  meet(): boolean {
    const begins = !this.#isOpen;
    this.#isOpen = true;
    this.#better = null;
    return begins;
  }

  /** It got further. */
  progress(now: Moment): void {
    if (this.#isOpen) this.#better ??= now;
  }

  /**
   * When the trouble ended, ms since the epoch, told once and a minute later, when it is sure; null before,
   * and where there was none.
   */
  over(now: Moment): number | null {
    return this.#better && now.elapsed - this.#better.elapsed >= calmMs ? this.close() : null;
  }

  /** Whatever comes next is another matter. Gives when the trouble had ended, null where it had not. */
  close(): number | null {
    const ended = this.#better?.at ?? null;
    this.#isOpen = false;
    this.#better = null;
    return ended;
  }
}
