import { smallBytes } from './concurrency.ts';
import type { Line } from './line.ts';

/** What is under way shall have gone through in this time. */
const queueMs = 9_000;
/** However slow the line, the next part begins before the last has gone through: with so much of it ahead. */
const overlap = 0.25;
/**
 * Before the first confirmation, what leaves may be told from what vanishes in buffers: this much is dared.
 */
const unconfirmedMs = 5_000;
/**
 * A first part on a very far line that leaves steadily at two parts in that time: a connection carries only
 * its window in each round trip there, and further ones as much again. Three times as much is dared at once,
 * up to 96 MiB.
 */
const [boldFrom, bold, mostBold] = [2, 3, 100_663_296];
/**
 * As long as the buffers of the system hold no more than this of them by then. A router that took a few
 * megabytes may have looked like a wide line: what lies there goes through before a try is given up even at
 * 1.2 MB/s.
 */
const mostBuffered = 33_554_432;
/** What leaves is looked at over this time, and not before it has left for so long. */
const [movedWindowMs, shortestMovedMs] = [310, 190];
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
  #begun = 0;
  /** What buffers took of the first part, which travels alone. */
  #buffered = 0;
  #moved: readonly { readonly at: number; readonly bytes: number }[] = [];

  /** @param elapsed ms, as `Clock.elapsed` */
  constructor(line: Line, elapsed: () => number) {
    this.#line = line;
    this.#elapsed = elapsed;
    this.#lastBegan = elapsed();
  }

  began(bytes: number): void {
    // Small ones are on their way too shortly to stand in a queue.
    if (bytes <= smallBytes) return;
    this.#lastBegan = this.#elapsed();
    this.#begun += 1;
  }

  /** Bytes left, of a part that has begun just now: buffers may have taken them. */
  buffered(bytes: number): void {
    if (this.#begun === 1) this.#buffered += bytes;
  }

  /** Bytes left, of parts that are under way for a while. */
  moved(bytes: number): void {
    const at = this.#elapsed();
    this.#moved = [...this.#moved.filter((one) => at - one.at <= movedWindowMs), { at, bytes }];
  }

  /** Whether another part may go while these are under way, on a line that is very far or not. */
  takes(bytes: number, underWay: { readonly parts: number; readonly bytes: number }, far: boolean): boolean {
    if (bytes <= smallBytes) return true;
    const now = this.#elapsed();
    const rate = this.#line.rate(now);
    // Confirmations tell of a line as it was when fewer parts were under way.
    const moved = (this.#movedRate(now) * unconfirmedMs) / 1000;
    const most = Math.max(((rate ?? 0) * queueMs) / 1000, moved);
    if (far && rate === null && moved >= bytes * boldFrom && this.#isBold(bytes, underWay, moved))
      return true;
    if (underWay.bytes + bytes <= most) return true;
    if (rate === null) return now - this.#lastBegan >= silenceMs;
    return underWay.parts === 1 && this.#line.ahead(now) <= bytes * overlap;
  }

  #isBold(bytes: number, underWay: { parts: number; bytes: number }, moved: number): boolean {
    const most = Math.min(mostBold, moved * bold);
    return underWay.bytes + bytes <= most && (underWay.parts + 1) * this.#buffered <= mostBuffered;
  }

  /** Bytes a second that leave. 0: not known. */
  #movedRate(now: number): number {
    const recent = this.#moved.filter(({ at }) => now - at <= movedWindowMs);
    const from = recent[0]?.at ?? now;
    if (now - from < shortestMovedMs) return 0;
    // What came first left before.
    const bytes = recent.slice(1).reduce((sum, one) => sum + one.bytes, 0);
    return (bytes * 1000) / (now - from);
  }
}
