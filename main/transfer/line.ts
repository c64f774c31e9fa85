/**
 * What a line takes, told by what storage confirms. What was handed to the system tells nothing of it: its
 * buffers take megabytes of each connection at once. Parts that are in flight together share a line evenly;
 * so the moment of a confirmation tells how much of the others has gone, too.
 */

/** One try of one part. */
export interface Flight {
  readonly size: number;
  /** Bytes that were handed to the system. */
  written: number;
  /** What of the line's time was any flight's share when this one began, ms. */
  since: number;
}

interface Ended {
  readonly at: number;
  /** Confirmed; 0 of tries that failed. */
  readonly bytes: number;
  /** The line's time that they took, ms. */
  readonly ms: number;
}

/** How far back it looks, and how many confirmations it looks back at however old they are. */
const [windowMs, minEnded] = [30_000, 3];
/** Ends closer together than this count as one. */
const spacingMs = 500;
/** Less of the line's time tells no speed that could be shown. */
const shortestMs = 1_000;
/** It is asked more often than this: a longer silence was a sleep. */
const maxGapMs = 5_000;
/** While nothing is known, half of what was written counts as gone after this time, and never all of it. */
const unknownMs = 5_000;

/** Times are ms of a clock that never jumps, rates bytes a second. */
export class Line {
  readonly #flying = new Set<Flight>();
  #at: number;
  /** The line's time that a flight would have had that was there from the beginning. */
  #share = 0;
  #ended: readonly Ended[] = [];
  /** Time in which nothing was in flight since the last try failed. */
  #lost = 0;
  #failed = false;

  constructor(now: number) {
    this.#at = now;
  }

  begin(now: number, size: number): Flight {
    this.#advance(now);
    const flight = { size, written: 0, since: this.#share };
    this.#flying.add(flight);
    return flight;
  }

  /** Storage confirmed it. */
  arrive(now: number, flight: Flight): void {
    this.#end(now, flight, flight.size);
  }

  /** It has to be sent once more. */
  fail(now: number, flight: Flight): void {
    this.#end(now, flight, 0);
  }

  /** It turned out that nothing had to be sent. */
  drop(now: number, flight: Flight): void {
    this.#advance(now);
    this.#flying.delete(flight);
  }

  /** What was learned holds no longer: the network was away. */
  forget(now: number): void {
    this.#advance(now);
    this.#ended = [];
    this.#lost = 0;
    for (const flight of this.#flying) flight.since = this.#share;
  }

  /**
   * As far as it is known: null before the first confirmation. Falls while what should have arrived has not.
   */
  rate(now: number): number | null {
    const known = this.#known(now);
    return known && (known.bytes * 1000) / known.ms;
  }

  /** The same, null until there is enough to tell a person. */
  shownRate(now: number): number | null {
    const known = this.#known(now);
    return known && known.ms >= shortestMs ? (known.bytes * 1000) / known.ms : null;
  }

  /**
   * Bytes in flight that have probably gone through, of those that were written. While nothing is known,
   * those of the first alone: the others may be taken back.
   */
  arrived(now: number): number {
    const rate = this.rate(now);
    if (rate !== null) return this.#sum(rate, ({ written }, gone) => Math.min(written, gone));
    const [first] = this.#flying;
    if (!first) return 0;
    const ms = this.#share - first.since;
    return (first.written * ms) / (ms + unknownMs);
  }

  /** Bytes in flight that have probably not gone through yet, written or not: all, while nothing is known. */
  ahead(now: number): number {
    return this.#sum(this.rate(now) ?? 0, ({ size }, gone) => Math.max(0, size - gone));
  }

  #sum(rate: number, of: (flight: Flight, gone: number) => number): number {
    let sum = 0;
    for (const flight of this.#flying) sum += of(flight, (rate * (this.#share - flight.since)) / 1000);
    return sum;
  }

  #known(now: number): { readonly bytes: number; readonly ms: number } | null {
    this.#advance(now);
    let bytes = 0;
    let ms = this.#lost;
    for (const ended of this.#ended) {
      bytes += ended.bytes;
      ms += ended.ms;
    }
    // What came in no time tells no rate.
    if (bytes === 0 || ms === 0) return null;
    const rate = bytes / ms;
    for (const { size, since } of this.#flying) {
      const took = this.#share - since;
      // It should have arrived: as if it did just now.
      if (size >= took * rate) continue;
      bytes += size;
      ms += took;
    }
    return { bytes, ms };
  }

  #end(now: number, flight: Flight, bytes: number): void {
    this.#advance(now);
    if (!this.#flying.delete(flight)) return;
    const ms = this.#share - flight.since + this.#lost;
    this.#lost = 0;
    this.#failed = bytes === 0 && flight.size > 0;
    const last = this.#ended.at(-1);
    const joins = last !== undefined && now - last.at < spacingMs;
    const others = joins ? this.#ended.slice(0, -1) : this.#ended;
    const one = joins ? { at: last.at, bytes: last.bytes + bytes, ms: last.ms + ms } : { at: now, bytes, ms };
    const old = others.findIndex(({ at }) => now - at < windowMs);
    const from = Math.min(old === -1 ? others.length : old, Math.max(0, others.length + 1 - minEnded));
    this.#ended = [...others.slice(from), one];
  }

  #advance(now: number): void {
    const ms = Math.min(maxGapMs, Math.max(0, now - this.#at));
    this.#at = now;
    if (this.#flying.size > 0) this.#share += ms / this.#flying.size;
    else if (this.#failed) this.#lost += ms;
  }
}
