export interface TransferProgress {
  /** Bytes that storage has acknowledged and the record holds. */
  readonly acknowledged: number;
  /** Bytes handed to the connection and not acknowledged yet. */
  readonly onWire: number;
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
  /** Further bytes left. */
  readonly sent: (bytes: number) => void;
  /** The try is over, however it ended. Again: nothing. */
  readonly end: () => void;
}

/** Thousands of small files a second are told of in steps. */
const tellMs = 50;

/** Counts what all files of one transfer have sent; calls `onChange` at once, then at most every 50 ms. */
export class ProgressCount {
  readonly #onChange: (progress: TransferProgress) => void;
  #acknowledged = 0;
  #onWire = 0;
  #partsDone = 0;
  #partsOnWire = 0;
  #partsSentAgain = 0;
  #concurrency = 0;
  #waitingForNetwork = false;
  #timer: NodeJS.Timeout | undefined;
  #news = false;

  constructor(onChange: (progress: TransferProgress) => void) {
    this.#onChange = onChange;
  }

  /**
   * Ends the try that brought it in the same step, so that the sum never dips between the two. Negative where
   * storage turned out to lack something.
   */
  acknowledge(bytes: number, parts: number, by: PartProgress | null = null): void {
    this.#acknowledged += bytes;
    this.#partsDone += parts;
    if (by) by.end();
    else this.#tell();
  }

  /** What the engine itself has to say about how it goes. */
  set(state: { readonly concurrency?: number; readonly waitingForNetwork?: boolean }): void {
    const { concurrency = this.#concurrency, waitingForNetwork = this.#waitingForNetwork } = state;
    if (concurrency === this.#concurrency && waitingForNetwork === this.#waitingForNetwork) return;
    this.#concurrency = concurrency;
    this.#waitingForNetwork = waitingForNetwork;
    this.#tellNow();
  }

  part(): PartProgress {
    let own = 0;
    let open = false;
    return {
      begin: (again) => {
        open = true;
        own = 0;
        this.#partsOnWire += 1;
        if (again) this.#partsSentAgain += 1;
        this.#tell();
      },
      sent: (bytes) => {
        if (!open) return;
        own += bytes;
        this.#onWire += bytes;
        this.#tell();
      },
      end: () => {
        if (!open) return;
        open = false;
        this.#partsOnWire -= 1;
        this.#onWire -= own;
        this.#tell();
      },
    };
  }

  /** Tells what has not been told yet; nothing is told after it. */
  close(): void {
    clearTimeout(this.#timer);
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
    this.#onChange({
      acknowledged: this.#acknowledged,
      onWire: this.#onWire,
      partsDone: this.#partsDone,
      partsOnWire: this.#partsOnWire,
      partsSentAgain: this.#partsSentAgain,
      concurrency: this.#concurrency,
      waitingForNetwork: this.#waitingForNetwork,
    });
  }
}
