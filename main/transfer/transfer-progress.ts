import type { Flight, Line } from './line.ts';

export interface TransferProgress {
  /** Bytes that storage has acknowledged and the record holds. */
  readonly acknowledged: number;
  /**
   * Bytes not acknowledged yet that have gone through, as far as can be told: never more than were handed to
   * the connection, and never fewer than before while nothing has to be sent again.
   */
  readonly onWire: number;
  /** What the line takes; null until that is known. */
  readonly bytesPerSecond: number | null;
  readonly partsDone: number;
  readonly partsOnWire: number;
  /** How often a part was sent once more. */
  readonly partsSentAgain: number;
  /** Parts that may be in flight at once, as the engine sees fit now. */
  readonly concurrency: number;
  /** There is no way to the network at all; continues by itself. */
  readonly waitingForNetwork: boolean;
}

/** What one part has on the wire, try after try. */
export interface PartProgress {
  /** A try begins. `again`: it was tried before. */
  readonly begin: (again: boolean) => void;
  /** Storage has it already: it was not sent. */
  readonly spared: () => void;
  /** Further bytes left. */
  readonly sent: (bytes: number) => void;
  /** The try is over; storage has the part where it `arrived`. Again: nothing. */
  readonly end: (arrived?: true) => void;
}

/** Thousands of small files a second are told of in steps. */
const tellMs = 50;
/** So often it is told how far it may be while nothing is heard. */
const tickMs = 500;

/**
 * Counts what all files of one transfer have sent; calls `onChange` at once, then at most every 50 ms, and
 * every half second while parts are under way.
 */
export class ProgressCount {
  readonly #onChange: (progress: TransferProgress) => void;
  readonly #line: Line;
  readonly #elapsed: () => number;
  #acknowledged = 0;
  #written = 0;
  /** How far it was when it was told last, acknowledged or not. */
  #furthest = 0;
  #partsDone = 0;
  #partsOnWire = 0;
  #partsSentAgain = 0;
  #concurrency = 0;
  #waitingForNetwork = false;
  #timer: NodeJS.Timeout | undefined;
  #tick: NodeJS.Timeout | undefined;
  #news = false;

  /** @param elapsed ms, as `Clock.elapsed` */
  constructor(onChange: (progress: TransferProgress) => void, line: Line, elapsed: () => number) {
    this.#onChange = onChange;
    this.#line = line;
    this.#elapsed = elapsed;
  }

  /**
   * Ends the try that brought it in the same step, so that the sum never dips between the two. Negative where
   * storage turned out to lack something.
   */
  acknowledge(bytes: number, parts: number, by: PartProgress | null = null): void {
    this.#acknowledged += bytes;
    this.#partsDone += parts;
    if (by) by.end(true);
    else this.#tell();
  }

  /** What the engine itself has to say about how it goes. */
  set(state: { readonly concurrency?: number; readonly waitingForNetwork?: boolean }): void {
    const { concurrency = this.#concurrency, waitingForNetwork = this.#waitingForNetwork } = state;
    if (concurrency === this.#concurrency && waitingForNetwork === this.#waitingForNetwork) return;
    if (waitingForNetwork !== this.#waitingForNetwork) this.#line.forget(this.#elapsed());
    this.#concurrency = concurrency;
    this.#waitingForNetwork = waitingForNetwork;
    this.#tellNow();
  }

  /** @param size bytes of the part */
  part(size: number): PartProgress {
    let flight: Flight | null = null;
    const close = (leave: (flight: Flight) => void) => {
      if (!flight) return;
      leave(flight);
      this.#partsOnWire -= 1;
      this.#written -= flight.written;
      flight = null;
      this.#tell();
    };
    return {
      begin: (again) => {
        flight = this.#line.begin(this.#elapsed(), size);
        this.#partsOnWire += 1;
        if (again) this.#partsSentAgain += 1;
        this.#tick ??= setInterval(() => this.#tell(), tickMs);
        this.#tell();
      },
      sent: (bytes) => {
        if (!flight) return;
        flight.written += bytes;
        this.#written += bytes;
        this.#tell();
      },
      spared: () => close((spared) => this.#line.drop(this.#elapsed(), spared)),
      end: (arrived) =>
        close((ended) =>
          arrived ? this.#line.arrive(this.#elapsed(), ended) : this.#line.fail(this.#elapsed(), ended),
        ),
    };
  }

  /** Tells what has not been told yet; nothing is told after it. */
  close(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#tick);
    this.#timer = undefined;
    if (this.#news) this.#tellNow();
  }

  #tell(): void {
    this.#news = true;
    if (this.#timer) return;
    this.#tellNow();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#news) this.#tell();
    }, tellMs);
  }

  #tellNow(): void {
    this.#news = false;
    const now = this.#elapsed();
    const gone = Math.max(this.#line.arrived(now), this.#furthest - this.#acknowledged);
    const onWire = Math.max(0, Math.min(this.#written, gone));
    this.#furthest = this.#acknowledged + onWire;
    this.#onChange({
      acknowledged: this.#acknowledged,
      onWire,
      bytesPerSecond: this.#line.shownRate(now),
      partsDone: this.#partsDone,
      partsOnWire: this.#partsOnWire,
      partsSentAgain: this.#partsSentAgain,
      concurrency: this.#concurrency,
      waitingForNetwork: this.#waitingForNetwork,
    });
  }
}
