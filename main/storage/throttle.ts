import type { Clock } from '../outside.ts';

/**
 * One budget of bytes for all worker threads, in shared memory: a token bucket that the main thread fills and
 * the workers empty. Cell 0: 1 while there is a limit. Cell 1: bytes that may be sent now.
 */
const limitedCell = 0;
const bytesCell = 1;

/** How often the bucket is filled, and how soon a new limit counts. */
const fillMs = 100;
/**
 * Who found the bucket empty asks again after this time at least and this much longer at most: never oftener
 * than it is filled. At random, since with one pace for all the thread that comes first would always come
 * first and leave nothing to the others.
 */
const turnMs = 100;
const turnSpreadMs = 50;
/** Unused budget is kept no longer than this, so that a pause is not made up for by a burst. */
const burstMs = 250;
const maxBytes = 2 ** 30;

export interface Throttle {
  readonly tokens: SharedArrayBuffer;
  /** Keeps the bucket filled until the returned function is called. */
  open(): () => void;
}

export const unlimitedTokens = (): SharedArrayBuffer => new SharedArrayBuffer(8);

/** `limit`: bytes a second now, null for none; asked again with every filling. */
export function createThrottle(limit: () => number | null, clock: Pick<Clock, 'now'>): Throttle {
  const tokens = unlimitedTokens();
  const cells = new Int32Array(tokens);
  let users = 0;
  let timer: NodeJS.Timeout | undefined;
  let filledAt = 0;

  function fill(): void {
    const now = clock.now();
    const elapsed = Math.max(0, now - filledAt);
    filledAt = now;
    const rate = limit();
    Atomics.store(cells, limitedCell, rate === null ? 0 : 1);
    if (rate === null) return;
    const max = Math.min(maxBytes, Math.max(1, (rate * burstMs) / 1000));
    const room = Math.max(0, max - Atomics.load(cells, bytesCell));
    const due = (rate * elapsed) / 1000;
    const more = Math.floor(Math.min(room, due));
    if (more > 0) Atomics.add(cells, bytesCell, more);
    // A fraction of a byte is not lost: its time counts the next time.
    if (due - more < 1) filledAt -= ((due - more) * 1000) / rate;
  }

  return {
    tokens,
    open: () => {
      if (users++ === 0) {
        filledAt = clock.now();
        Atomics.store(cells, bytesCell, 0);
        fill();
        timer = setInterval(fill, fillMs).unref();
      }
      let open = true;
      return () => {
        if (!open) return;
        open = false;
        if (--users === 0) clearInterval(timer);
      };
    },
  };
}

/** A worker's side of the bucket. */
export class TokenTaker {
  readonly #cells: Int32Array;
  #turn: Promise<void> | null = null;

  constructor(tokens: SharedArrayBuffer) {
    this.#cells = new Int32Array(tokens);
  }

  get limited(): boolean {
    return Atomics.load(this.#cells, limitedCell) === 1;
  }

  /** How many of `wanted` bytes may leave now; 0 means: ask again at the next turn. */
  take(wanted: number): number {
    for (;;) {
      if (!this.limited) return wanted;
      const left = Atomics.load(this.#cells, bytesCell);
      const taken = Math.min(wanted, left);
      if (taken <= 0) return 0;
      if (Atomics.compareExchange(this.#cells, bytesCell, left, left - taken) === left) return taken;
    }
  }

  /** Resolves when it is worth asking again: one moment for all who wait, in the order in which they came. */
  turn(): Promise<void> {
    this.#turn ??= new Promise((resolve) => {
      const next = () => {
        this.#turn = null;
        resolve();
      };
      setTimeout(next, turnMs + Math.random() * turnSpreadMs);
    });
    return this.#turn;
  }
}
