import type { Flight, Line } from './line.ts';

/** A transfer's progress over all its files. */
export interface TransferProgress {
  readonly acknowledged: number;
  /** Estimated delivered bytes without confirmation; never falls unless bytes are sent again. */
  readonly onWire: number;
  readonly bytesPerSecond: number | null;
  readonly partsDone: number;
  readonly partsOnWire: number;
  readonly partsSentAgain: number;
  readonly concurrency: number;
  /** The network is unreachable; continues by itself. */
  readonly waitingForNetwork: boolean;
}

/** Tracks one part on the wire over all its tries. */
export interface PartProgress {
  readonly beginFlight: (isRetry: boolean) => void;
  readonly noteSpared: () => void;
  readonly noteSent: (bytes: number) => void;
  /** Ends the try; `hasArrived`: storage has the part. Idempotent. */
  readonly end: (hasArrived?: true) => void;
}

/** Thousands of small files may finish per second. */
const notifyMs = 50;
const tickMs = 500;

/** Calls `onChange` at once, then at most every 50 ms, and every 500 ms while parts are in flight. */
export class ProgressCount {
  readonly #onChange: (progress: TransferProgress) => void;
  readonly #line: Line;
  readonly #elapsed: () => number;
  #acknowledged = 0;
  #writtenBytes = 0;
  #furthest = 0;
  #partsDone = 0;
  #partsOnWire = 0;
  #partsSentAgain = 0;
  #concurrency = 0;
  #waitingForNetwork = false;
  #timer: NodeJS.Timeout | undefined;
  #tick: NodeJS.Timeout | undefined;
  #hasChanged = false;

  constructor(onChange: (progress: TransferProgress) => void, line: Line, elapsed: () => number) {
    this.#onChange = onChange;
    this.#line = line;
    this.#elapsed = elapsed;
  }

  /** Also ends the part's try, so that the sum never dips in between. May be negative. */
  acknowledge(bytes: number, parts: number, part: PartProgress | null = null): void {
    this.#acknowledged += bytes;
    this.#partsDone += parts;
    if (part) part.end(true);
    else this.#notify();
  }

  set(state: { readonly concurrency?: number; readonly waitingForNetwork?: boolean }): void {
    const { concurrency = this.#concurrency, waitingForNetwork = this.#waitingForNetwork } = state;
    if (concurrency === this.#concurrency && waitingForNetwork === this.#waitingForNetwork) return;
    if (waitingForNetwork !== this.#waitingForNetwork) this.#line.forget(this.#elapsed());
    this.#concurrency = concurrency;
    this.#waitingForNetwork = waitingForNetwork;
    this.#notifyNow();
  }

  part(size: number): PartProgress {
    let flight: Flight | null = null;
    const endFlight = (finish: (flight: Flight) => void) => {
      if (!flight) return;
      finish(flight);
      this.#partsOnWire -= 1;
      this.#writtenBytes -= flight.writtenBytes;
      flight = null;
      this.#notify();
    };
    return {
      beginFlight: (isRetry) => {
        flight = this.#line.beginFlight(this.#elapsed(), size);
        this.#partsOnWire += 1;
        if (isRetry) this.#partsSentAgain += 1;
        this.#tick ??= setInterval(() => this.#notify(), tickMs);
        this.#notify();
      },
      noteSent: (bytes) => {
        if (!flight) return;
        flight.writtenBytes += bytes;
        this.#writtenBytes += bytes;
        this.#notify();
      },
      noteSpared: () => endFlight((sparedFlight) => this.#line.dropFlight(this.#elapsed(), sparedFlight)),
      end: (hasArrived) =>
        endFlight((finished) =>
          hasArrived
            ? this.#line.arrive(this.#elapsed(), finished)
            : this.#line.fail(this.#elapsed(), finished),
        ),
    };
  }

  /** Reports pending changes, then stops. */
  close(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#tick);
    this.#timer = undefined;
    if (this.#hasChanged) this.#notifyNow();
  }

  #notify(): void {
    this.#hasChanged = true;
    if (this.#timer) return;
    this.#notifyNow();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#hasChanged) this.#notify();
    }, notifyMs);
  }

  #notifyNow(): void {
    this.#hasChanged = false;
    const nowMs = this.#elapsed();
    const goneBytes = Math.max(this.#line.arrivedBytes(nowMs), this.#furthest - this.#acknowledged);
    const onWire = Math.max(0, Math.min(this.#writtenBytes, goneBytes));
    this.#furthest = this.#acknowledged + onWire;
    this.#onChange({
      acknowledged: this.#acknowledged,
      onWire,
      bytesPerSecond: this.#line.shownRate(nowMs),
      partsDone: this.#partsDone,
      partsOnWire: this.#partsOnWire,
      partsSentAgain: this.#partsSentAgain,
      concurrency: this.#concurrency,
      waitingForNetwork: this.#waitingForNetwork,
    });
  }
}
