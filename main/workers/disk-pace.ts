const slowMs = 4;
const slowReadings = 3;
const lastReadings = 4;
/** Files read via the thread pool before each retry of the disk. */
const minFiles = 16;
const maxFiles = 256;

/**
 * Small files are read synchronously while the disk is fast. One slow read proves nothing on a busy machine;
 * one quick read proves recovery.
 */
export class DiskPace {
  readonly #elapsed: () => number;
  /** Newest last. */
  #readings: boolean[] = [];
  #filesToWait = 0;
  #nextWait = minFiles;

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  get isQuick(): boolean {
    return this.#filesToWait === 0;
  }

  countPooledRead(): void {
    this.#filesToWait -= 1;
  }

  /** Failed reads don't count. */
  watch<T>(read: () => T): T {
    const startedAt = this.#elapsed();
    const result = read();
    this.#note(this.#elapsed() - startedAt > slowMs);
    return result;
  }

  #note(isSlow: boolean): void {
    const wasSlow = this.#nextWait > minFiles;
    if (wasSlow && !isSlow) {
      this.#readings = [];
      this.#nextWait = minFiles;
      return;
    }
    this.#readings = [...this.#readings, isSlow].slice(-lastReadings);
    if (this.#readings.filter(Boolean).length < slowReadings) return;
    this.#filesToWait = this.#nextWait;
    this.#nextWait = Math.min(maxFiles, 2 * this.#nextWait);
  }
}
