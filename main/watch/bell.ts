/**
 * What a loop waits at: it continues when someone rings, or when its time has come. A ring while nobody waits
 * is not lost.
 */
export class Bell {
  #rung = false;
  #wake: (() => void) | null = null;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves at the next ring, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        // Node takes longer times for no time at all.
        const timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1));
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = null;
    this.#rung = false;
  }
}
