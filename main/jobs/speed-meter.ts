import type { Speed } from './forecast.ts';

/** A longer silence is a sleep or a lost network, and says nothing about the line. */
const longestGapMs = 5_000;

/** Measures what one stretch of sending brings through. Times are ms since the epoch. */
export class SpeedMeter {
  #last: number;
  #ms = 0;
  #bytes = 0;

  constructor(now: number) {
    this.#last = now;
  }

  /** @param bytes confirmed by storage since the stretch began */
  add(now: number, bytes: number): void {
    this.#ms += Math.min(longestGapMs, Math.max(0, now - this.#last));
    this.#last = now;
    this.#bytes = Math.max(this.#bytes, bytes);
  }

  get speed(): Speed {
    return { bytes: this.#bytes, ms: this.#ms };
  }
}
