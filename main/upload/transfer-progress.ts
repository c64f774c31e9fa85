export interface TransferProgress {
  /** Bytes that storage has acknowledged and the record holds. */
  readonly acknowledged: number;
  /** Bytes handed to the connection and not acknowledged yet. */
  readonly onWire: number;
  readonly partsDone: number;
  readonly partsOnWire: number;
}

/** One try to send one part. */
export interface SendTry {
  /** Further bytes left. */
  sent(bytes: number): void;
  /** The try is over, however it ended. Again: nothing. */
  end(): void;
}

/** Counts what all files of one transfer have sent; `onChange` is told of every step. */
export class ProgressCount {
  readonly #onChange: (progress: TransferProgress) => void;
  #acknowledged = 0;
  #onWire = 0;
  #partsDone = 0;
  #partsOnWire = 0;

  constructor(onChange: (progress: TransferProgress) => void) {
    this.#onChange = onChange;
  }

  /**
   * Ends the try that brought it in the same step, so that the sum never dips between the two. Negative where storage turned out to
   * lack something.
   */
  acknowledge(bytes: number, parts: number, by: SendTry | null = null): void {
    this.#acknowledged += bytes;
    this.#partsDone += parts;
    if (by) by.end();
    else this.#tell();
  }

  beginTry(): SendTry {
    let own = 0;
    let open = true;
    this.#partsOnWire += 1;
    this.#tell();
    return {
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

  #tell(): void {
    this.#onChange({
      acknowledged: this.#acknowledged,
      onWire: this.#onWire,
      partsDone: this.#partsDone,
      partsOnWire: this.#partsOnWire,
    });
  }
}
