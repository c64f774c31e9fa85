import { smallBody } from '../storage/requests/storage-request.ts';
import { veryFarMs } from '../storage/storage-facts.ts';
import {
  beginFar,
  bytesMoved,
  type Concurrency,
  limitOfSmall,
  partArrived,
  partFailed,
  startConcurrency,
} from './concurrency.ts';
import type { LineQueue, UnderWay } from './line-queue.ts';
import { type PartPlace, PlaceTaken } from './part-place.ts';
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

/** While the line holds parts back, it is asked this often. */
export const lookAgainMs = 250;

/** A part as the pool sees it. */
interface PoolPart extends PartRange {
  /** It may be read while it is sent. */
  readonly streamable: boolean;
}

/** There and back takes so long, ms, that a connection's window may hold it up. */
const farMs = 20;

/** Keeps as many parts in flight as concurrency, memory and the line allow. */
export class PartPool {
  readonly #max: number;
  readonly #queue: LineQueue;
  readonly #roundTripMs: () => number | null;
  readonly #onLimit: (limit: number) => void;
  #concurrency: Concurrency = startConcurrency(performance.now());
  #inFlight = 0;
  #bytes = 0;
  #bytesInMemory = 0;
  /** Of those in flight, the ones that failed and have not gone again. */
  #resting = { parts: 0, bytes: 0 };
  #unsettled = 0;
  /** Tries whose places may be taken away, in the order in which they began. */
  readonly #tries = new Set<AbortController>();
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
    onLimit(this.#limit);
  }

  /** See `FileTransferOptions.onArrived`. */
  arrived(bytes: number, ms: number, wireMs: number): void {
    this.reached();
    const full = this.#inFlight >= this.#limit;
    const end = { at: performance.now(), bytes, ms, wireMs, far: this.#isFar, full };
    this.#become(partArrived(this.#concurrency, end));
  }

  /** Storage has answered, and shown by that how far it is. */
  reached(): void {
    if (!this.#isVeryFar) return;
    this.#become(beginFar(this.#concurrency));
    this.#wake();
  }

  /** So many bytes of a part left, that long after its first ones. */
  moved(bytes: number, ms: number): void {
    if (bytes <= 0 || !this.#isFar) return;
    if (ms < settledMs) {
      this.#queue.buffered(bytes);
      return;
    }
    this.#queue.moved(bytes);
    const full = this.#inFlight >= this.#limit;
    this.#become(bytesMoved(this.#concurrency, { at: performance.now(), bytes, full }));
    this.#wake();
  }

  failed(): void {
    this.#become(partFailed(this.#concurrency, performance.now()));
  }

  /**
   * Sends parts until there are none or the signal aborts. Resolves when nothing is under way any more.
   *
   * @param send tells its place what becomes of the part, and resolves once it is written down; `streamed`:
   *   the part is not to be taken into memory
   * @param end told of the first error
   */
  async drain<Part extends PoolPart>(
    next: () => Part | null,
    send: (part: Part, streamed: boolean, place: PartPlace) => Promise<void>,
    signal: AbortSignal,
    end: (thrown: unknown) => void,
  ): Promise<void> {
    let waiting: Part | null = null;
    for (;;) {
      if (this.#queue.hasTooMuch(this.#onWire)) this.#keepFirst();
      while (!signal.aborted) {
        waiting ??= next();
        if (!waiting || !this.#hasRoom(waiting)) break;
        const part = waiting;
        const streamed = this.#mayStream(part) && !this.#fits(part);
        const inMemory = streamed ? 0 : part.length;
        this.#start(part.length, inMemory, (place) => send(part, streamed, place), end);
        waiting = null;
      }
      if (this.#unsettled === 0) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if ((waiting || this.#queue.mayHaveTooMuch) && !signal.aborted)
          timer = setTimeout(resolve, lookAgainMs);
      });
      clearTimeout(timer);
    }
  }

  get #limit(): number {
    return Math.min(this.#max, this.#concurrency.limit);
  }

  #hasRoom(part: PoolPart): boolean {
    if (this.#unsettled >= maxUnsettled) return false;
    if (this.#inFlight === 0) return true;
    if (this.#inFlight >= this.#limitFor(part)) return false;
    if (!this.#fits(part) && !this.#mayStream(part)) return false;
    return this.#takes(part.length, { parts: this.#inFlight, bytes: this.#bytes });
  }

  #limitFor({ length }: PoolPart): number {
    return length <= smallBody ? Math.min(this.#max, limitOfSmall(this.#concurrency)) : this.#limit;
  }

  #takes(bytes: number, underWay: UnderWay): boolean {
    return this.#queue.takes(bytes, underWay, this.#isVeryFar);
  }

  get #isFar(): boolean {
    return (this.#roundTripMs() ?? 0) >= farMs;
  }

  get #isVeryFar(): boolean {
    return (this.#roundTripMs() ?? 0) >= veryFarMs;
  }

  /** On a near line more parts bring nothing, and a second reading costs. */
  #mayStream({ streamable }: PoolPart): boolean {
    return streamable && this.#concurrency.longLine;
  }

  #fits(part: PoolPart): boolean {
    const most = this.#inFlight === 1 && !this.#mayStream(part) ? maxBytesOfTwo : maxBytesInMemory;
    return this.#bytesInMemory + part.length <= most;
  }

  #start(
    bytes: number,
    inMemory: number,
    send: (place: PartPlace) => Promise<void>,
    end: (thrown: unknown) => void,
  ): void {
    this.#queue.began(bytes);
    this.#inFlight += 1;
    this.#bytes += bytes;
    this.#bytesInMemory += inMemory;
    this.#unsettled += 1;
    let state: 'on-wire' | 'resting' | 'over' = 'on-wire';
    let takeAway: AbortController | null = null;
    const leave = () => {
      if (takeAway) this.#tries.delete(takeAway);
    };
    const place: PartPlace = {
      begins: () => {
        takeAway = new AbortController();
        this.#tries.add(takeAway);
        return takeAway.signal;
      },
      answered: () => {
        if (state === 'over') return;
        leave();
        if (state === 'resting') this.#rest(-1, -bytes);
        state = 'over';
        this.#inFlight -= 1;
        this.#bytes -= bytes;
        this.#bytesInMemory -= inMemory;
        this.#wake();
      },
      failed: () => {
        if (state !== 'on-wire') return;
        leave();
        state = 'resting';
        this.#rest(1, bytes);
      },
      goesAgain: () => {
        if (state !== 'resting') return true;
        if (!this.#mayGoAgain(bytes)) return false;
        state = 'on-wire';
        this.#rest(-1, -bytes);
        this.#queue.began(bytes);
        return true;
      },
    };
    void send(place)
      .catch(end)
      .finally(() => {
        place.answered();
        this.#unsettled -= 1;
        this.#wake();
      });
  }

  #rest(parts: number, bytes: number): void {
    this.#resting = { parts: this.#resting.parts + parts, bytes: this.#resting.bytes + bytes };
  }

  #mayGoAgain(bytes: number): boolean {
    const underWay = this.#onWire;
    if (underWay.parts === 0 || !this.#isFar) return true;
    return underWay.parts < this.#limit && this.#takes(bytes, underWay);
  }

  get #onWire(): UnderWay {
    const { parts, bytes } = this.#resting;
    return { parts: this.#inFlight - parts, bytes: this.#bytes - bytes };
  }

  /** The others go again once there is room. */
  #keepFirst(): void {
    for (const takeAway of [...this.#tries].slice(1)) takeAway.abort(new PlaceTaken());
  }

  #become(concurrency: Concurrency): void {
    const before = this.#limit;
    this.#concurrency = concurrency;
    if (this.#limit !== before) this.#onLimit(this.#limit);
  }
}
