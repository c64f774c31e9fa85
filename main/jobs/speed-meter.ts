import { type Speed, smallBytes } from './forecast.ts';

/** Longer gaps are sleep or a lost network. */
const maxGapMs = 5_000;

interface Confirmed {
  readonly bytes: number;
  readonly parts: number;
}

/** Measures large files' parts and small files separately. Times are ms, monotonic. */
export class SpeedMeter {
  #lastTime: number;
  /** Sending time since the last confirmation. */
  #waited = 0;
  #confirmed: Confirmed;
  readonly #large = { bytes: 0, files: 0, ms: 0 };
  readonly #small = { bytes: 0, files: 0, ms: 0 };
  #latest: { ms: number } = this.#large;

  constructor(nowMs: number, confirmed: Confirmed) {
    this.#lastTime = nowMs;
    this.#confirmed = confirmed;
  }

  add(nowMs: number, confirmed: Confirmed): void {
    this.#waited += Math.min(maxGapMs, Math.max(0, nowMs - this.#lastTime));
    this.#lastTime = nowMs;
    const bytes = confirmed.bytes - this.#confirmed.bytes;
    const parts = confirmed.parts - this.#confirmed.parts;
    // Storage lost a part that was counted; don't count it twice.
    if (bytes <= 0 && parts <= 0) return;
    const isSmall = parts > 0 && bytes / parts < smallBytes;
    const stretch = isSmall ? this.#small : this.#large;
    stretch.bytes += Math.max(0, bytes);
    stretch.files += isSmall ? parts : 0;
    stretch.ms += this.#waited;
    this.#waited = 0;
    this.#latest = stretch;
    this.#confirmed = {
      bytes: Math.max(confirmed.bytes, this.#confirmed.bytes),
      parts: Math.max(confirmed.parts, this.#confirmed.parts),
    };
  }

  end(): readonly Speed[] {
    this.#latest.ms += this.#waited;
    this.#waited = 0;
    return [{ ...this.#large }, { ...this.#small }];
  }
}
