import { smallBytes } from './concurrency.ts';
import type { Line } from './line.ts';

/** The parts in flight should get through in this time. */
const queueMs = 9_000;
/** On slow lines the next part begins with this share of its size still ahead. */
const overlap = 0.25;
/**
 * Before the first confirmation, departing bytes may only be filling buffers: risk at most this much time.
 */
const unconfirmedMs = 5_000;
/** Upper limit for that, since the line may change. */
const maxUnconfirmed = 268_435_456;
/** Measuring times of the departure rate: maximum and minimum. */
const [movedWindowMs, shortestMovedMs] = [310, 190];
/** After this long without any progress one more part is sent. */
const silenceMs = 15_000;

/** Parts in flight and their bytes. */
export interface UnderWay {
  readonly parts: number;
  readonly bytes: number;
}

/**
 * Limits the bytes in flight, since parts that share a slow line are confirmed together, minutes later. The
 * first part travels alone until it is confirmed or leaves steadily; then as much is in flight as the line
 * takes in seconds.
 */
export class LineQueue {
  readonly #line: Line;
  readonly #elapsed: () => number;
  #lastBegan: number;
  #recentMoves: readonly { readonly timestamp: number; readonly bytes: number }[] = [];

  constructor(line: Line, elapsed: () => number) {
    this.#line = line;
    this.#elapsed = elapsed;
    this.#lastBegan = elapsed();
  }

  recordStart(bytes: number): void {
    if (bytes <= smallBytes) return;
    this.#lastBegan = this.#elapsed();
  }

  recordMoved(bytes: number): void {
    const time = this.#elapsed();
    this.#recentMoves = [
      ...this.#recentMoves.filter((move) => time - move.timestamp <= movedWindowMs),
      { timestamp: time, bytes },
    ];
  }

  hasRoomFor(bytes: number, inFlight: UnderWay): boolean {
    if (bytes <= smallBytes) return true;
    const nowMs = this.#elapsed();
    const rate = this.#line.rate(nowMs);
    // Confirmations describe the line under fewer parts.
    const movedBytes = (this.#movedRate(nowMs) * unconfirmedMs) / 1000;
    const maxBytes =
      rate === null ? Math.min(movedBytes, maxUnconfirmed) : Math.max((rate * queueMs) / 1000, movedBytes);
    if (inFlight.bytes + bytes <= maxBytes) return true;
    if (rate !== null) return inFlight.parts === 1 && this.#line.bytesAhead(nowMs) <= bytes * overlap;
    return nowMs - this.#lastBegan >= silenceMs;
  }

  /** Returns bytes a second, 0 if unknown. */
  #movedRate(nowMs: number): number {
    const lastMoves = this.#recentMoves.filter(({ timestamp: time }) => nowMs - time <= movedWindowMs);
    const startTime = lastMoves[0]?.timestamp ?? nowMs;
    if (nowMs - startTime < shortestMovedMs) return 0;
    // The first entry's bytes departed before its timestamp.
    const bytes = lastMoves.slice(1).reduce((sum, move) => sum + move.bytes, 0);
    return (bytes * 1000) / (nowMs - startTime);
  }
}
