/**
 * Estimates a line's rate from storage's confirmations. Bytes handed to the system mean nothing: its buffers
 * take megabytes per connection at once. Concurrent parts are assumed to share the line evenly, so each
 * confirmation also shows how far the others are.
 */

export interface Flight {
  readonly size: number;
  writtenBytes: number;
  /** The line's cumulative time share (ms) when this flight began. */
  startShare: number;
}

interface EndedFlight {
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
  #lineShare = 0;
  #endedFlights: readonly EndedFlight[] = [];
  #lostBytes = 0;
  #hasFailed = false;

  constructor(nowMs: number) {
    this.#time = nowMs;
  }

  beginFlight(nowMs: number, size: number): Flight {
    this.#advance(nowMs);
    const flight = { size, writtenBytes: 0, startShare: this.#lineShare };
    this.#flying.add(flight);
    return flight;
  }

  arrive(nowMs: number, flight: Flight): void {
    this.#end(nowMs, flight, flight.size);
  }

  fail(nowMs: number, flight: Flight): void {
    this.#end(nowMs, flight, 0);
  }

  dropFlight(nowMs: number, flight: Flight): void {
    this.#advance(nowMs);
    this.#flying.delete(flight);
  }

  forget(nowMs: number): void {
    this.#advance(nowMs);
    this.#endedFlights = [];
    this.#lostBytes = 0;
    for (const flight of this.#flying) flight.startShare = this.#lineShare;
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
  arrivedBytes(nowMs: number): number {
    const rate = this.rate(nowMs);
    if (rate !== null)
      return this.#sum(rate, ({ writtenBytes }, goneBytes) => Math.min(writtenBytes, goneBytes));
    const [oldest] = this.#flying;
    if (!oldest) return 0;
    const ms = this.#lineShare - oldest.startShare;
    return (oldest.writtenBytes * ms) / (ms + unknownMs);
  }

  /** Estimated bytes in flight still to be delivered; all of them without a rate. */
  bytesAhead(nowMs: number): number {
    return this.#sum(this.rate(nowMs) ?? 0, ({ size }, goneBytes) => Math.max(0, size - goneBytes));
  }

  #sum(rate: number, portion: (flight: Flight, goneBytes: number) => number): number {
    let sum = 0;
    for (const flight of this.#flying)
      sum += portion(flight, (rate * (this.#lineShare - flight.startShare)) / 1000);
    return sum;
  }

  #measure(nowMs: number): { readonly bytes: number; readonly ms: number } | null {
    this.#advance(nowMs);
    let bytes = 0;
    let ms = this.#lostBytes;
    for (const end of this.#endedFlights) {
      bytes += end.bytes;
      ms += end.ms;
    }
    if (bytes === 0 || ms === 0) return null;
    const rate = bytes / ms;
    for (const { size, startShare } of this.#flying) {
      const usedShare = this.#lineShare - startShare;
      // Overdue: count it as arriving now.
      if (size >= usedShare * rate) continue;
      bytes += size;
      ms += usedShare;
    }
    return { bytes, ms };
  }

  #end(nowMs: number, flight: Flight, bytes: number): void {
    this.#advance(nowMs);
    if (!this.#flying.delete(flight)) return;
    const ms = this.#lineShare - flight.startShare + this.#lostBytes;
    this.#lostBytes = 0;
    this.#hasFailed = bytes === 0 && flight.size > 0;
    const previous = this.#endedFlights.at(-1);
    const joins = previous !== undefined && nowMs - previous.endTime < spacingMs;
    const earlierFlights = joins ? this.#endedFlights.slice(0, -1) : this.#endedFlights;
    const end = joins
      ? { endTime: previous.endTime, bytes: previous.bytes + bytes, ms: previous.ms + ms }
      : { endTime: nowMs, bytes, ms };
    const firstRecent = earlierFlights.findIndex(({ endTime: time }) => nowMs - time < windowMs);
    const firstKept = Math.min(
      firstRecent === -1 ? earlierFlights.length : firstRecent,
      Math.max(0, earlierFlights.length + 1 - minEnded),
    );
    this.#endedFlights = [...earlierFlights.slice(firstKept), end];
  }

  #advance(nowMs: number): void {
    const ms = Math.min(maxGapMs, Math.max(0, nowMs - this.#time));
    this.#time = nowMs;
    if (this.#flying.size > 0) this.#lineShare += ms / this.#flying.size;
    else if (this.#hasFailed) this.#lostBytes += ms;
  }
}
