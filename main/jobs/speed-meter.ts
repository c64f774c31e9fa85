import { type Speed, smallBytes } from './forecast.ts';

/** Longer gaps are sleep or a lost network. */
const maxGapMs = 5_000;

interface ConfirmedAmount {
  readonly bytes: number;
  readonly parts: number;
}

/** Measures large files' parts and small files separately. Times are ms, monotonic. */
export class SpeedMeter {
  #lastTime: number;
  /** Sending time since the last confirmation. */
  #waited = 0;
  #confirmedAmount: ConfirmedAmount;
  readonly #largeFiles = { bytes: 0, files: 0, ms: 0 };
  readonly #smallFiles = { bytes: 0, files: 0, ms: 0 };
  #latestSum: { ms: number } = this.#largeFiles;

  constructor(nowMs: number, confirmedAmount: ConfirmedAmount) {
    this.#lastTime = nowMs;
    this.#confirmedAmount = confirmedAmount;
  }

  add(nowMs: number, confirmedAmount: ConfirmedAmount): void {
    this.#waited += Math.min(maxGapMs, Math.max(0, nowMs - this.#lastTime));
    this.#lastTime = nowMs;
    const bytes = confirmedAmount.bytes - this.#confirmedAmount.bytes;
    const parts = confirmedAmount.parts - this.#confirmedAmount.parts;
    // Storage lost a part that was counted; don't count it twice.
    if (bytes <= 0 && parts <= 0) return;
    const isSmall = parts > 0 && bytes / parts < smallBytes;
    const stretch = isSmall ? this.#smallFiles : this.#largeFiles;
    stretch.bytes += Math.max(0, bytes);
    stretch.files += isSmall ? parts : 0;
    stretch.ms += this.#waited;
    this.#waited = 0;
    this.#latestSum = stretch;
    this.#confirmedAmount = {
      bytes: Math.max(confirmedAmount.bytes, this.#confirmedAmount.bytes),
      parts: Math.max(confirmedAmount.parts, this.#confirmedAmount.parts),
    };
  }

  end(): readonly Speed[] {
    this.#latestSum.ms += this.#waited;
    this.#waited = 0;
    return [{ ...this.#largeFiles }, { ...this.#smallFiles }];
  }
}
