import type { Line } from './line.ts';

/** Parts up to this size are on their way too shortly to stand in a queue. */
const smallBytes = 1_048_576;
/** What is under way shall have gone through in this time. */
const queueMs = 9_000;
/** However slow the line, the next part begins before the last has gone through: with so much of it ahead. */
const overlap = 0.25;
/** A line that says nothing at all for so long gets one part more. */
const silenceMs = 15_000;

/**
 * How much a line is given at once: parts that share a slow one are confirmed all together, minutes later.
 * The first travels alone, until storage has confirmed it; from then on as much is under way as the line
 * takes in seconds. A line that takes more when it gets more is given more.
 */
export class LineQueue {
  readonly #line: Line;
  readonly #elapsed: () => number;
  #lastBegan: number;

  /** @param elapsed ms, as `Clock.elapsed` */
  constructor(line: Line, elapsed: () => number) {
    this.#line = line;
    this.#elapsed = elapsed;
    this.#lastBegan = elapsed();
  }

  began(bytes: number): void {
    if (bytes > smallBytes) this.#lastBegan = this.#elapsed();
  }

  /** Whether another part may go while these are under way. */
  takes(bytes: number, underWay: { readonly parts: number; readonly bytes: number }): boolean {
    if (bytes <= smallBytes) return true;
    const now = this.#elapsed();
    const rate = this.#line.rate(now);
    if (rate === null) return now - this.#lastBegan >= silenceMs;
    if (underWay.bytes + bytes <= (rate * queueMs) / 1000) return true;
    return underWay.parts === 1 && this.#line.ahead(now) <= bytes * overlap;
  }
}
