/** A reading that takes longer is a slow one, ms. */
const slowMs = 4;
/** The disk is slow once so many of the last readings were. */
const slowReadings = 3;
const lastReadings = 4;
/** So many files go through the thread pool before the disk is tried again, twice as many each time. */
const fewestFiles = 16;
const mostFiles = 256;

/**
 * Whether small files are read at once, in the thread that wants them: while the disk answers quickly. One
 * slow reading says nothing about it, since on a busy machine a thread waits for its turn as long; one quick
 * reading of a disk that was slow says that it isn't any more.
 */
export class DiskPace {
  readonly #elapsed: () => number;
  /** Of the last readings, newest last: whether they were slow. */
  #readings: boolean[] = [];
  #filesToWait = 0;
  #nextWait = fewestFiles;

  /** `elapsed`: ms on a clock that never jumps. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  get isQuick(): boolean {
    return this.#filesToWait === 0;
  }

  /** A small file goes through the thread pool. */
  sparedOne(): void {
    this.#filesToWait -= 1;
  }

  /** Has one read at once, and learns from it. What is thrown says nothing about the disk. */
  watch<T>(read: () => T): T {
    const began = this.#elapsed();
    const result = read();
    this.#note(this.#elapsed() - began > slowMs);
    return result;
  }

  #note(isSlow: boolean): void {
    const wasSlow = this.#nextWait > fewestFiles;
    if (wasSlow && !isSlow) {
      this.#readings = [];
      this.#nextWait = fewestFiles;
      return;
    }
    this.#readings = [...this.#readings, isSlow].slice(-lastReadings);
    if (this.#readings.filter(Boolean).length < slowReadings) return;
    this.#filesToWait = this.#nextWait;
    this.#nextWait = Math.min(mostFiles, 2 * this.#nextWait);
  }
}
