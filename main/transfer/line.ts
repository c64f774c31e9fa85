/**
 * Estimates a line's rate from storage's confirmations. Bytes handed to the system mean nothing: its buffers
 * take megabytes per connection at once. Concurrent parts are assumed to share the line evenly, so each
 * confirmation also shows how far the others are.
 */

export interface Flight {
  readonly size: number;
  written: number;
  /** The line's cumulative time share (ms) when this flight began. */
  startShare: number;
}

interface Ended {
  readonly endTime: number;
  /** Confirmed; 0 if the try failed. */
  readonly bytes: number;
  /** The line's time used, ms. */
  readonly ms: number;
}

/** Time and number of confirmations that rates are measured over. */
const [windowMs, minEnded] = [30_000, 3];
const spacingMs = 500;
/** Less line time than this gives no rate worth showing. */
const shortestMs = 1_000;
/** Longer gaps between calls mean the computer slept. */
const maxGapMs = 5_000;
/** Without a known rate, half of the written bytes count as delivered after this time. */
const unknownMs = 5_000;

/** Times are ms of a monotonic clock, rates bytes a second. */
export class Line {
  readonly #flying = new Set<Flight>();
  #time: number;
  /** The line time of a flight that had been there from the start. */
  #share = 0;
  #ends: readonly Ended[] = [];
  #lost = 0;
  #failed = false;

  constructor(nowMs: number) {
    this.#time = nowMs;
  }

  begin(nowMs: number, size: number): Flight {
    this.#advance(nowMs);
    const flight = { size, written: 0, startShare: this.#share };
    this.#flying.add(flight);
    return flight;
  }

  arrive(nowMs: number, flight: Flight): void {
    this.#end(nowMs, flight, flight.size);
  }

  fail(nowMs: number, flight: Flight): void {
    this.#end(nowMs, flight, 0);
  }

  drop(nowMs: number, flight: Flight): void {
    this.#advance(nowMs);
    this.#flying.delete(flight);
  }

  forget(nowMs: number): void {
    this.#advance(nowMs);
    this.#ends = [];
    this.#lost = 0;
    for (const flight of this.#flying) flight.startShare = this.#share;
  }

  /** Null before the first confirmation. Falls while an expected confirmation is overdue. */
  rate(nowMs: number): number | null {
    const measured = this.#measure(nowMs);
    return measured && (measured.bytes * 1000) / measured.ms;
  }

  /** The rate, or null until it is reliable enough to show. */
  shownRate(nowMs: number): number | null {
    const measured = this.#measure(nowMs);
    return measured && measured.ms >= shortestMs ? (measured.bytes * 1000) / measured.ms : null;
  }

  /**
   * Estimated delivered bytes in flight. Without a rate only the oldest flight counts: others may have to be
   * taken back.
   */
  arrived(nowMs: number): number {
    const rate = this.rate(nowMs);
    if (rate !== null) return this.#sum(rate, ({ written }, gone) => Math.min(written, gone));
    const [oldest] = this.#flying;
    if (!oldest) return 0;
    const ms = this.#share - oldest.startShare;
    return (oldest.written * ms) / (ms + unknownMs);
  }

  /** Estimated bytes in flight still to be delivered; all of them without a rate. */
  ahead(nowMs: number): number {
    return this.#sum(this.rate(nowMs) ?? 0, ({ size }, gone) => Math.max(0, size - gone));
  }

  #sum(rate: number, portion: (flight: Flight, gone: number) => number): number {
    let sum = 0;
    for (const flight of this.#flying)
      sum += portion(flight, (rate * (this.#share - flight.startShare)) / 1000);
    return sum;
  }

  #measure(nowMs: number): { readonly bytes: number; readonly ms: number } | null {
    this.#advance(nowMs);
    let bytes = 0;
    let ms = this.#lost;
    for (const end of this.#ends) {
      bytes += end.bytes;
      ms += end.ms;
    }
    if (bytes === 0 || ms === 0) return null;
    const rate = bytes / ms;
    for (const { size, startShare } of this.#flying) {
      const took = this.#share - startShare;
      // Overdue: count it as arriving now.
      if (size >= took * rate) continue;
      bytes += size;
      ms += took;
    }
    return { bytes, ms };
  }

  #end(nowMs: number, flight: Flight, bytes: number): void {
    this.#advance(nowMs);
    if (!this.#flying.delete(flight)) return;
    const ms = this.#share - flight.startShare + this.#lost;
    this.#lost = 0;
    this.#failed = bytes === 0 && flight.size > 0;
    const previous = this.#ends.at(-1);
    const joins = previous !== undefined && nowMs - previous.endTime < spacingMs;
    const earlier = joins ? this.#ends.slice(0, -1) : this.#ends;
    const end = joins
      ? { endTime: previous.endTime, bytes: previous.bytes + bytes, ms: previous.ms + ms }
      : { endTime: nowMs, bytes, ms };
    const old = earlier.findIndex(({ endTime: time }) => nowMs - time < windowMs);
    const firstKept = Math.min(old === -1 ? earlier.length : old, Math.max(0, earlier.length + 1 - minEnded));
    this.#ends = [...earlier.slice(firstKept), end];
  }

  #advance(nowMs: number): void {
    const ms = Math.min(maxGapMs, Math.max(0, nowMs - this.#time));
    this.#time = nowMs;
    if (this.#flying.size > 0) this.#share += ms / this.#flying.size;
    else if (this.#failed) this.#lost += ms;
  }
}
