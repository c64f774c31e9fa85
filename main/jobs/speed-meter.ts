import { type Speed, smallBytes } from './forecast.ts';

/** A longer silence is a sleep or a lost network, and says nothing about the bandwidth. */
const maxGapMs = 5_000;

/** What storage has confirmed so far. */
interface Confirmed {
  readonly bytes: number;
  /** Small files have one each. */
  readonly parts: number;
}

/**
 * Measures what an upload brings through: apart, while it sends parts of large files and while it sends small
 * files, so that neither spoils what the other tells. Times are ms of a clock that never jumps.
 */
export class SpeedMeter {
  #last: number;
  /** Sending time since something was confirmed. */
  #waited = 0;
  #seen: Confirmed;
  readonly #large = { bytes: 0, files: 0, ms: 0 };
  readonly #small = { bytes: 0, files: 0, ms: 0 };
  #latest: { ms: number } = this.#large;

  /** @param before what had been confirmed when the stretch began */
  constructor(now: number, before: Confirmed) {
    this.#last = now;
    this.#seen = before;
  }

  add(now: number, confirmed: Confirmed): void {
    this.#waited += Math.min(maxGapMs, Math.max(0, now - this.#last));
    this.#last = now;
    const bytes = confirmed.bytes - this.#seen.bytes;
    const parts = confirmed.parts - this.#seen.parts;
    // Storage lacks something that counted already: that comes once more, and counts once.
    if (bytes <= 0 && parts <= 0) return;
    const isSmall = parts > 0 && bytes / parts < smallBytes;
    const stretch = isSmall ? this.#small : this.#large;
    stretch.bytes += Math.max(0, bytes);
    stretch.files += isSmall ? parts : 0;
    stretch.ms += this.#waited;
    this.#waited = 0;
    this.#latest = stretch;
    this.#seen = {
      bytes: Math.max(confirmed.bytes, this.#seen.bytes),
      parts: Math.max(confirmed.parts, this.#seen.parts),
    };
  }

  /** Nothing more comes: what was waited for in vain counts, too. */
  end(): readonly Speed[] {
    this.#latest.ms += this.#waited;
    this.#waited = 0;
    return [{ ...this.#large }, { ...this.#small }];
  }
}
