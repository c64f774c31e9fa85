export interface TransferProgress {
  /** Bytes that storage has acknowledged and the record holds. */
  readonly acknowledged: number;
  /** Bytes handed to the connection and not acknowledged yet. */
  readonly onWire: number;
  readonly partsDone: number;
  readonly partsOnWire: number;
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

  /** Negative where storage turned out to lack something. */
  acknowledge(bytes: number, parts: number): void {
    this.#acknowledged += bytes;
    this.#partsDone += parts;
    this.#tell();
  }

  /** One try to send one part: `sent` as bytes leave, `end` when the try is over, however it ended. */
  beginTry(): { sent(bytes: number): void; end(): void } {
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
