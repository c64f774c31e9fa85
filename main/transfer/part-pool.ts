import { Concurrency } from './concurrency.ts';
import type { LineQueue, UnderWay } from './line-queue.ts';
import type { PartRange } from './plan.ts';

/** Parts in memory, bytes. Further parts on a long line are streamed, at the cost of a second read. */
const maxBytesInMemory = 64 * 1024 * 1024;
/** For two parts: one is read while the other is sent. Larger parts travel alone. */
const maxBytesOfTwo = 256 * 1024 * 1024;
/** Bytes sent this soon (ms) after the first may only have filled the socket buffers. */
const settledMs = 200;
/** Unrecorded parts beyond which the record sets the pace. */
const maxUnsettled = 2_000;
/** Multiple of the limit in backoff at which no new part begins. */
const maxInBackoff = 8;

const pollMs = 250;

/** At this round trip (ms) the TCP window may limit a connection. */
const farMs = 20;

interface PoolPart extends PartRange {
  readonly streamable: boolean;
}

/** A part's place among those in flight. */
export interface PartSlot {
  /** The part has left the wire; only its record may be pending. */
  noteAnswer(): void;
  fail(): void;
  /** Resolves when the part may be sent again, before parts that haven't begun. */
  acquire(): Promise<void>;
}

interface RetryingPart {
  readonly part: PoolPart;
  readonly resume: () => void;
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
  readonly #returning: RetryingPart[] = [];
  #unsettled = 0;
  #shownLimit = 0;
  #wakePool: () => void = () => {};

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
    this.#notifyLimit();
  }

  noteArrival(bytes: number, ms: number, wireMs: number): void {
    const end = { at: performance.now(), bytes, ms, wireMs, isFar: this.#isFar, isFull: this.#isFull };
    this.#concurrency.partArrived(end);
    this.#notifyLimit();
  }

  noteMoved(bytes: number, ms: number): void {
    if (bytes <= 0 || !this.#isFar || ms < settledMs) return;
    this.#queue.recordMoved(bytes);
    this.#concurrency.bytesMoved({ at: performance.now(), bytes, isFull: this.#isFull });
    this.#notifyLimit();
    this.#wakePool();
  }

  /**
   * Resolves when nothing is in flight.
   *
   * @param send resolves once the part is recorded; `isStreamed`: don't buffer the part
   * @param end called with the first error
   */
  async drain<Part extends PoolPart>(
    nextPart: () => Part | null,
    send: (part: Part, isStreamed: boolean, slot: PartSlot) => Promise<void>,
    signal: AbortSignal,
    end: (error: unknown) => void,
  ): Promise<void> {
    let pendingPart: Part | null = null;
    const wakePool = () => this.#wakePool();
    signal.addEventListener('abort', wakePool);
    for (;;) {
      this.#resumeReturning(signal);
      while (!signal.aborted) {
        pendingPart ??= nextPart();
        if (!pendingPart || !this.#mayBegin(pendingPart)) break;
        const part = pendingPart;
        this.#start(part, (isStreamed, slot) => send(part, isStreamed, slot), end);
        pendingPart = null;
      }
      if (this.#unsettled === 0) break;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wakePool = resolve;
        const isHeldBack = pendingPart !== null || this.#returning.length > 0;
        if (isHeldBack && !signal.aborted) timer = setTimeout(resolve, pollMs);
      });
      clearTimeout(timer);
    }
    signal.removeEventListener('abort', wakePool);
  }

  /** After an abort it resumes all parts. */
  #resumeReturning(signal: AbortSignal): void {
    for (let [oldest] = this.#returning; oldest; [oldest] = this.#returning) {
      if (!signal.aborted && !this.#hasRoom(oldest.part)) return;
      this.#returning.shift();
      oldest.resume();
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
    if (!this.#fitsInMemory(part) && !this.#mayStream(part)) return false;
    return this.#queue.hasRoomFor(part.length, this.#inFlight);
  }

  get #isFar(): boolean {
    return (this.#roundTripMs() ?? 0) >= farMs;
  }

  /** On other lines more parts bring nothing, and streaming costs a second read. */
  #mayStream({ streamable }: PoolPart): boolean {
    return streamable && this.#concurrency.isLongLine;
  }

  #fitsInMemory(part: PoolPart): boolean {
    const maxBytes = this.#inFlight.parts === 1 && !this.#mayStream(part) ? maxBytesOfTwo : maxBytesInMemory;
    return this.#bytesInMemory + part.length <= maxBytes;
  }

  #start(
    part: PoolPart,
    send: (isStreamed: boolean, slot: PartSlot) => Promise<void>,
    end: (error: unknown) => void,
  ): void {
    const isStreamed = this.#mayStream(part) && !this.#fitsInMemory(part);
    const inMemory = isStreamed ? 0 : part.length;
    let state: 'in-flight' | 'in-backoff' | 'over' = 'in-flight';
    let enteredAt = 0;
    const enter = () => {
      enteredAt = performance.now();
      state = 'in-flight';
      this.#queue.recordStart(part.length);
      this.#count(1, part.length, inMemory);
    };
    const leaveSlot = (nextState: 'in-backoff' | 'over') => {
      if (state === 'in-flight') this.#count(-1, -part.length, -inMemory);
      else if (state === 'in-backoff') this.#inBackoff -= 1;
      if (nextState === 'in-backoff') this.#inBackoff += 1;
      state = nextState;
      this.#wakePool();
    };
    const slot: PartSlot = {
      noteAnswer: () => {
        if (state !== 'over') leaveSlot('over');
      },
      fail: () => {
        if (state !== 'in-flight') return;
        const time = performance.now();
        this.#concurrency.partFailed({ at: time, bytes: part.length, ms: time - enteredAt });
        this.#notifyLimit();
        leaveSlot('in-backoff');
      },
      acquire: () => {
        if (state !== 'in-backoff') return Promise.resolve();
        return new Promise((resolve) => {
          const resume = () => {
            this.#inBackoff -= 1;
            enter();
            resolve();
          };
          this.#returning.push({ part, resume });
          this.#wakePool();
        });
      },
    };
    enter();
    this.#unsettled += 1;
    void send(isStreamed, slot)
      .catch(end)
      .finally(() => {
        slot.noteAnswer();
        this.#unsettled -= 1;
        this.#wakePool();
      });
  }

  #count(parts: number, bytes: number, inMemory: number): void {
    this.#inFlight = { parts: this.#inFlight.parts + parts, bytes: this.#inFlight.bytes + bytes };
    this.#bytesInMemory += inMemory;
  }

  #notifyLimit(): void {
    if (this.#limit === this.#shownLimit) return;
    this.#shownLimit = this.#limit;
    this.#onLimit(this.#limit);
  }
}
