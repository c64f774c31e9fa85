import type { Clock } from '../ports.ts';

/**
 * A token bucket in shared memory: the main thread fills it, workers empty it. Cell 0: 1 while limited. Cell
 * 1: bytes available.
 */
const limitedCell = 0;
const bytesCell = 1;

const fillMs = 100;
/** Retry delay plus jitter: with a fixed delay the first thread would always win. */
const turnMs = 100;
const turnSpreadMs = 50;
/** Unused budget expires after this time, so that pauses cause no burst. */
const burstMs = 250;
const maxBytes = 2 ** 30;

/** The bandwidth limit that all uploads share. */
export interface Throttle {
  readonly tokens: SharedArrayBuffer;
  /** Fills the bucket until the returned function is called. */
  openThrottle(): () => void;
}

/** A bucket without a limit. */
export const unlimitedTokens = (): SharedArrayBuffer => new SharedArrayBuffer(8);

/** `limit`: bytes a second, read at every refill. */
export function createThrottle(limit: () => number | null, clock: Pick<Clock, 'now'>): Throttle {
  const tokens = unlimitedTokens();
  const cells = new Int32Array(tokens);
  let users = 0;
  let timer: NodeJS.Timeout | undefined;
  let filledAt = 0;

  function fillBucket(): void {
    const nowMs = clock.now();
    const elapsedMs = Math.max(0, nowMs - filledAt);
    filledAt = nowMs;
    const rate = limit();
    Atomics.store(cells, limitedCell, rate === null ? 0 : 1);
    if (rate === null) return;
    const max = Math.min(maxBytes, Math.max(1, (rate * burstMs) / 1000));
    const freeRoom = Math.max(0, max - Atomics.load(cells, bytesCell));
    const dueBytes = (rate * elapsedMs) / 1000;
    const added = Math.floor(Math.min(freeRoom, dueBytes));
    if (added > 0) Atomics.add(cells, bytesCell, added);
    // Carry the fraction of a byte over to the next refill.
    if (dueBytes - added < 1) filledAt -= ((dueBytes - added) * 1000) / rate;
  }

  return {
    tokens,
    openThrottle: () => {
      if (users++ === 0) {
        filledAt = clock.now();
        Atomics.store(cells, bytesCell, 0);
        fillBucket();
        timer = setInterval(fillBucket, fillMs).unref();
      }
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        if (--users === 0) clearInterval(timer);
      };
    },
  };
}

/** A worker's side of the bucket. */
export class TokenTaker {
  readonly #cells: Int32Array;
  #currentTurn: Promise<void> | null = null;

  constructor(tokens: SharedArrayBuffer) {
    this.#cells = new Int32Array(tokens);
  }

  get isLimited(): boolean {
    return Atomics.load(this.#cells, limitedCell) === 1;
  }

  /** 0: try at the next turn. */
  takeBytes(bytes: number): number {
    for (;;) {
      if (!this.isLimited) return bytes;
      const available = Atomics.load(this.#cells, bytesCell);
      const granted = Math.min(bytes, available);
      if (granted <= 0) return 0;
      if (Atomics.compareExchange(this.#cells, bytesCell, available, available - granted) === available)
        return granted;
    }
  }

  /** Resolves for all waiting callers at once, in order. */
  waitForTurn(): Promise<void> {
    this.#currentTurn ??= new Promise((resolve) => {
      const endTurn = () => {
        this.#currentTurn = null;
        resolve();
      };
      setTimeout(endTurn, turnMs + Math.random() * turnSpreadMs);
    });
    return this.#currentTurn;
  }
}
