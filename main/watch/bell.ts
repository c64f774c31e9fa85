/**
 * Wakes a loop on demand or after a timeout. A ring while the loop isn't waiting counts for its next wait.
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
        // Node fires timers with a longer delay at once.
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
