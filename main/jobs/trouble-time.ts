const calmMs = 60_000;

/** A moment on both clocks. */
export interface Moment {
  /** Ms since the epoch. */
  readonly at: number;
  /** Ms, monotonic. */
  readonly elapsedMs: number;
}

/** A period lasts from the first failure to the progress that no failure follows for a minute. */
export class TroubleTime {
  #isOpen = false;
  #progressedAt: Moment | null = null;

  /** Returns whether a period begins. */
  recordFailure(): boolean {
    const isFirst = !this.#isOpen;
    this.#isOpen = true;
    this.#progressedAt = null;
    return isFirst;
  }

  progress(moment: Moment): void {
    if (this.#isOpen) this.#progressedAt ??= moment;
  }

  /** Returns the end of the trouble (ms since the epoch) once, a minute later. */
  endIfOver(moment: Moment): number | null {
    return this.#progressedAt && moment.elapsedMs - this.#progressedAt.elapsedMs >= calmMs
      ? this.endTrouble()
      : null;
  }

  /** Returns when the trouble ended; null if it hadn't. */
  endTrouble(): number | null {
    const endedAt = this.#progressedAt?.at ?? null;
    this.#isOpen = false;
    this.#progressedAt = null;
    return endedAt;
  }
}
