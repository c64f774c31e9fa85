import { Concurrency } from './concurrency.ts';
import type { LineQueue, UnderWay } from './line-queue.ts';
import type { PartRange } from './plan.ts';

/**
 * Parts lie in memory while they are sent. On a long line what goes beyond this is read while it is sent,
 * which costs a second reading.
 */
const maxBytesInMemory = 64 * 1024 * 1024;
/** Of two parts: while one is sent, the next is read. Beyond that a part travels alone. */
const maxBytesOfTwo = 256 * 1024 * 1024;
/** What a part sends in this time since its first bytes may only have gone into the system's buffers. */
const settledMs = 200;
/** Parts that storage has and the record not yet: beyond that the record sets the pace. */
const maxUnsettled = 2_000;
/** While so many times the limit are in backoff, no further part begins: storage takes few of them anyway. */
const maxInBackoff = 8;

/** While the line holds parts back, it is asked this often. */
const lookAgainMs = 250;

/** A round trip takes so long, ms, that a connection's window may hold it up. */
const farMs = 20;

/** A part as the pool sees it. */
interface PoolPart extends PartRange {
  /** It may be read while it is sent. */
  readonly streamable: boolean;
}

/** The place of one part among those in flight. */
export interface PartSlot {
  /** Nothing of the part is on the wire any more, whatever is still to be written down. */
  answered(): void;
  /** A try did not work: while the part is in backoff, another one may go. */
  fail(): void;
  /** Resolves once the part may go again, before parts that have not begun; at once if it has its slot. */
  acquire(): Promise<void>;
}

/** A part in backoff that wants to go again. */
interface Returning {
  readonly part: PoolPart;
  readonly go: () => void;
}

/** Keeps as many parts in flight as concurrency, memory and the line allow. */
export class PartPool {
  readonly #max: number;
  readonly #queue: LineQueue;
  readonly #roundTripMs: () => number | null;
  readonly #onLimit: (limit: number) => void;
  readonly #concurrency = new Concurrency(performance.now());
  #inFlight: UnderWay = { parts: 0, bytes: 0 };
  #bytesInMemory = 0;
  #inBackoff = 0;
  readonly #returning: Returning[] = [];
  #unsettled = 0;
  #shownLimit = 0;
  #wake: () => void = () => {};

  /** @param roundTripMs see `Storage.roundTripMs` */
  constructor(
    max: number,
    queue: LineQueue,
    roundTripMs: () => number | null,
    onLimit: (limit: number) => void,
  ) {
    this.#max = max;
    this.#queue = queue;
    this.#roundTripMs = roundTripMs;
    this.#onLimit = onLimit;
    this.#tellLimit();
  }

  /** See `FileTransferOptions.onArrived`. */
  arrived(bytes: number, ms: number, wireMs: number): void {
    const end = { at: performance.now(), bytes, ms, wireMs, far: this.#isFar, full: this.#isFull };
    this.#concurrency.partArrived(end);
    this.#tellLimit();
  }

  /** So many bytes of a part left, that long after its first ones. */
  moved(bytes: number, ms: number): void {
    if (bytes <= 0 || !this.#isFar || ms < settledMs) return;
    this.#queue.moved(bytes);
    this.#concurrency.bytesMoved({ at: performance.now(), bytes, full: this.#isFull });
    this.#tellLimit();
    this.#wake();
  }

  /**
   * Sends parts until there are none or the signal aborts. Resolves when nothing is under way any more.
   *
   * @param send tells its slot what becomes of the part, and resolves once it is written down; `streamed`:
   *   the part is not to be taken into memory
   * @param end told of the first error
   */
  async drain<Part extends PoolPart>(
    next: () => Part | null,
    send: (part: Part, streamed: boolean, slot: PartSlot) => Promise<void>,
    signal: AbortSignal,
    end: (thrown: unknown) => void,
  ): Promise<void> {
    let waiting: Part | null = null;
    const wake = () => this.#wake();
    signal.addEventListener('abort', wake);
    for (;;) {
      this.#letReturn(signal);
      while (!signal.aborted) {
        waiting ??= next();
        if (!waiting || !this.#mayBegin(waiting)) break;
        const part = waiting;
        this.#start(part, (streamed, slot) => send(part, streamed, slot), end);
        waiting = null;
      }
      if (this.#unsettled === 0) break;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        const isHeldBack = waiting !== null || this.#returning.length > 0;
        if (isHeldBack && !signal.aborted) timer = setTimeout(resolve, lookAgainMs);
      });
      clearTimeout(timer);
    }
    signal.removeEventListener('abort', wake);
  }

  /** Those that failed longest ago go first. Once nothing is sent any more, all of them are let go. */
  #letReturn(signal: AbortSignal): void {
    for (let [first] = this.#returning; first; [first] = this.#returning) {
      if (!signal.aborted && !this.#hasRoom(first.part)) return;
      this.#returning.shift();
      first.go();
    }
  }

  get #limit(): number {
    return this.#limitFor(Number.POSITIVE_INFINITY);
  }

  #limitFor(size: number): number {
    return Math.min(this.#max, this.#concurrency.limitFor(size));
  }

  get #isFull(): boolean {
    return this.#inFlight.parts >= this.#limit;
  }

  #mayBegin(part: PoolPart): boolean {
    if (this.#unsettled >= maxUnsettled) return false;
    if (this.#inBackoff >= maxInBackoff * this.#limitFor(part.length)) return false;
    return this.#hasRoom(part);
  }

  #hasRoom(part: PoolPart): boolean {
    if (this.#inFlight.parts === 0) return true;
    if (this.#inFlight.parts >= this.#limitFor(part.length)) return false;
    if (!this.#fits(part) && !this.#mayStream(part)) return false;
    return this.#queue.takes(part.length, this.#inFlight);
  }

  get #isFar(): boolean {
    return (this.#roundTripMs() ?? 0) >= farMs;
  }

  /** On a near line more parts bring nothing, and a second reading costs. */
  #mayStream({ streamable }: PoolPart): boolean {
    return streamable && this.#concurrency.isLongLine;
  }

  #fits(part: PoolPart): boolean {
    const most = this.#inFlight.parts === 1 && !this.#mayStream(part) ? maxBytesOfTwo : maxBytesInMemory;
    return this.#bytesInMemory + part.length <= most;
  }

  #start(
    part: PoolPart,
    send: (streamed: boolean, slot: PartSlot) => Promise<void>,
    end: (thrown: unknown) => void,
  ): void {
    const streamed = this.#mayStream(part) && !this.#fits(part);
    const inMemory = streamed ? 0 : part.length;
    let state: 'in-flight' | 'in-backoff' | 'over' = 'in-flight';
    let enteredAt = 0;
    const enter = () => {
      enteredAt = performance.now();
      state = 'in-flight';
      this.#queue.began(part.length);
      this.#count(1, part.length, inMemory);
    };
    const leave = (to: 'in-backoff' | 'over') => {
      if (state === 'in-flight') this.#count(-1, -part.length, -inMemory);
      else if (state === 'in-backoff') this.#inBackoff -= 1;
      if (to === 'in-backoff') this.#inBackoff += 1;
      state = to;
      this.#wake();
    };
    const slot: PartSlot = {
      answered: () => {
        if (state !== 'over') leave('over');
      },
      fail: () => {
        if (state !== 'in-flight') return;
        const at = performance.now();
        this.#concurrency.partFailed({ at, bytes: part.length, ms: at - enteredAt });
        this.#tellLimit();
        leave('in-backoff');
      },
      acquire: () => {
        if (state !== 'in-backoff') return Promise.resolve();
        return new Promise((resolve) => {
          const go = () => {
            this.#inBackoff -= 1;
            enter();
            resolve();
          };
          this.#returning.push({ part, go });
          this.#wake();
        });
      },
    };
    enter();
    this.#unsettled += 1;
    void send(streamed, slot)
      .catch(end)
      .finally(() => {
        slot.answered();
        this.#unsettled -= 1;
        this.#wake();
      });
  }

  #count(parts: number, bytes: number, inMemory: number): void {
    this.#inFlight = { parts: this.#inFlight.parts + parts, bytes: this.#inFlight.bytes + bytes };
    this.#bytesInMemory += inMemory;
  }

  #tellLimit(): void {
    if (this.#limit === this.#shownLimit) return;
    this.#shownLimit = this.#limit;
    this.#onLimit(this.#limit);
  }
}
