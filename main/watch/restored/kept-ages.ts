import type { AgePlace } from './age-places.ts';

interface Kept {
  /** What was last written there; null until it was compared. */
  written: number | null;
  /** Ends with the last thing that is done there; never rejects. */
  work: Promise<void>;
}

interface KeptAgesOptions {
  /** How many sources the journal has taken so far. */
  readonly age: () => number;
  /**
   * The journal has taken fewer than it had by then. Afterwards it is to be as old as that: of one backup
   * nobody is to be told by each place.
   */
  readonly onOlder: (before: number) => void;
}

/**
 * The ages of one journal in several places. Each is compared before anything is written there, and never
 * gets ahead of the journal.
 */
export class KeptAges {
  readonly #options: KeptAgesOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: KeptAgesOptions) {
    this.#options = options;
  }

  /** One after the other for each place, by name. Throws what the place throws; the next call tries again. */
  async meet(name: string, place: AgePlace): Promise<void> {
    const kept = this.#kept.get(name) ?? { written: null, work: Promise.resolve() };
    this.#kept.set(name, kept);
    if (kept.written === this.#options.age()) return;
    const work = kept.work.then(() => this.#meet(kept, place));
    kept.work = work.catch(() => {});
    await work;
  }

  async #meet(kept: Kept, place: AgePlace): Promise<void> {
    const { age, onOlder } = this.#options;
    if (kept.written === null) {
      const before = await place.read();
      if (before !== null && before > age()) onOlder(before);
      // Where nothing was ever taken no trace is left.
      else if (before === null && age() === 0) kept.written = 0;
    }
    // In the journal already, so that a kill leaves an age that is too low rather than too high.
    const now = age();
    if (kept.written === now) return;
    await place.write(now);
    kept.written = now;
  }
}
