/**
 * A long line upward, in numbers alone: what leaves when, what arrives when, and how much may be under way.
 * Pure; times are ms on any clock that never jumps.
 */

export interface LineShape {
  /** What all connections share upward. */
  readonly bytesPerSecond: number;
  /** Each way. */
  readonly delayMs: number;
  /** A connection's bytes on their way that are not acknowledged, at most: a socket's window. */
  readonly windowBytes: number;
  /** Mean time between stalls of the whole line; each takes 200 ms to 1 s. Null: none. */
  readonly stallEveryMs: number | null;
  /** Mean time between resets of one connection that carries something. Null: none. */
  readonly resetEveryMs: number | null;
}

const [shortestStallMs, longestStallMs] = [200, 1_000];

/** What one connection has under way. */
export interface Lane {
  /** The handshake is over. */
  readonly opensAt: number;
  /** Not acknowledged, in the order in which it was sent. */
  readonly unacknowledged: { readonly bytes: number; readonly until: number }[];
}

export class Wire {
  readonly #shape: LineShape;
  readonly #random: () => number;
  /** All that was sent has left by then. */
  #freeAt = 0;
  #stallsAt: number | null = null;

  /** @param random 0 up to but not including 1 */
  constructor(shape: LineShape, random: () => number) {
    this.#shape = shape;
    this.#random = random;
  }

  /** A connection costs a round trip before anything can be sent. */
  connect(now: number): Lane {
    return { opensAt: now + 2 * this.#shape.delayMs, unacknowledged: [] };
  }

  /** How many bytes may leave now. */
  room({ opensAt, unacknowledged }: Lane, now: number): number {
    if (now < opensAt) return 0;
    while ((unacknowledged[0]?.until ?? Number.POSITIVE_INFINITY) <= now) unacknowledged.shift();
    const underWay = unacknowledged.reduce((sum, { bytes }) => sum + bytes, 0);
    return Math.max(0, this.#shape.windowBytes - underWay);
  }

  /** When there is room again, at the latest. */
  roomAt({ opensAt, unacknowledged }: Lane): number {
    return Math.max(opensAt, unacknowledged[0]?.until ?? 0);
  }

  /**
   * Bytes that are sent now.
   *
   * @returns when they arrive; never before what was sent earlier
   */
  send(lane: Lane, bytes: number, now: number): number {
    const { bytesPerSecond, delayMs, stallEveryMs } = this.#shape;
    const begins = Math.max(now, this.#freeAt);
    this.#freeAt = begins + (bytes / bytesPerSecond) * 1000;
    this.#stallsAt ??= this.#next(stallEveryMs, begins);
    if (this.#freeAt >= this.#stallsAt) {
      this.#freeAt += shortestStallMs + this.#random() * (longestStallMs - shortestStallMs);
      this.#stallsAt = this.#next(stallEveryMs, this.#freeAt);
    }
    const arrives = this.#freeAt + delayMs;
    lane.unacknowledged.push({ bytes, until: arrives + delayMs });
    return arrives;
  }

  /** Ms from now until a connection is reset; Infinity for never. */
  untilReset(): number {
    return this.#next(this.#shape.resetEveryMs, 0);
  }

  /** Half to one and a half times the mean later. */
  #next(meanMs: number | null, now: number): number {
    return meanMs === null ? Number.POSITIVE_INFINITY : now + meanMs * (0.5 + this.#random());
  }
}
