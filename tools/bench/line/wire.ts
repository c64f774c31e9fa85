/**
 * Pure model of a long line upward: departure, arrival and bytes in flight. Times are ms of a monotonic
 * clock.
 */

export interface LineShape {
  /** Shared by all connections. */
  readonly bytesPerSecond: number;
  /** One way. */
  readonly delayMs: number;
  /** A connection's unacknowledged bytes at most: the socket's window. */
  readonly windowBytes: number;
  /** Mean time between stalls of the whole line (200 ms to 1 s each), or null. */
  readonly stallEveryMs: number | null;
  /** Mean time between resets of a busy connection, or null. */
  readonly resetEveryMs: number | null;
}

const [shortestStallMs, longestStallMs] = [200, 1_000];

/** State of one connection. */
export interface WireLane {
  readonly opensAt: number;
  readonly unacknowledged: { readonly bytes: number; readonly untilMs: number }[];
}

export class Wire {
  readonly #shape: LineShape;
  readonly #random: () => number;
  /** When all sent bytes have left. */
  #freeAt = 0;
  #stallsAt: number | null = null;

  /** @param random returns 0 (inclusive) to 1 (exclusive) */
  constructor(shape: LineShape, random: () => number) {
    this.#shape = shape;
    this.#random = random;
  }

  /** A new connection takes one round trip before it can send. */
  connect(nowMs: number): WireLane {
    return { opensAt: nowMs + 2 * this.#shape.delayMs, unacknowledged: [] };
  }

  freeRoom({ opensAt, unacknowledged }: WireLane, nowMs: number): number {
    if (nowMs < opensAt) return 0;
    while ((unacknowledged[0]?.untilMs ?? Number.POSITIVE_INFINITY) <= nowMs) unacknowledged.shift();
    const bytesUnderWay = unacknowledged.reduce((sum, { bytes }) => sum + bytes, 0);
    return Math.max(0, this.#shape.windowBytes - bytesUnderWay);
  }

  roomAt({ opensAt, unacknowledged }: WireLane): number {
    return Math.max(opensAt, unacknowledged[0]?.untilMs ?? 0);
  }

  /** @returns the time of arrival, never before earlier bytes */
  send(lane: WireLane, bytes: number, nowMs: number): number {
    const { bytesPerSecond, delayMs, stallEveryMs } = this.#shape;
    const beginsAt = Math.max(nowMs, this.#freeAt);
    this.#freeAt = beginsAt + (bytes / bytesPerSecond) * 1000;
    this.#stallsAt ??= this.#nextAfter(stallEveryMs, beginsAt);
    if (this.#freeAt >= this.#stallsAt) {
      this.#freeAt += shortestStallMs + this.#random() * (longestStallMs - shortestStallMs);
      this.#stallsAt = this.#nextAfter(stallEveryMs, this.#freeAt);
    }
    const arrives = this.#freeAt + delayMs;
    lane.unacknowledged.push({ bytes, untilMs: arrives + delayMs });
    return arrives;
  }

  /** Ms until a connection is reset, or Infinity. */
  untilReset(): number {
    return this.#nextAfter(this.#shape.resetEveryMs, 0);
  }

  /** A time 0.5 to 1.5 times the mean from now. */
  #nextAfter(meanMs: number | null, nowMs: number): number {
    return meanMs === null ? Number.POSITIVE_INFINITY : nowMs + meanMs * (0.5 + this.#random());
  }
}
