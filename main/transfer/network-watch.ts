/** What all requests of one transfer together know about the network: whether anything at all gets an answer. */
export class NetworkWatch {
  readonly #onChange: (reachable: boolean) => void;
  #answers = 0;
  #reachable = true;

  constructor(onChange: (reachable: boolean) => void) {
    this.#onChange = onChange;
  }

  /** Answers so far, whatever they said. */
  get answers(): number {
    return this.#answers;
  }

  answered(): void {
    this.#answers += 1;
    this.#set(true);
  }

  /** Somebody waits because there is no way. */
  lost(): void {
    this.#set(false);
  }

  #set(reachable: boolean): void {
    if (reachable === this.#reachable) return;
    this.#reachable = reachable;
    this.#onChange(reachable);
  }
}
