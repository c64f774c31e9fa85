/** Current time in every scenario: a Friday morning. ms since the epoch. */
export const moment = Date.UTC(2026, 10, 20, 6, 51);

/** Shorter waits aren't shown. */
const longMs = 1000;

/** A stopped clock at the scenarios' moment: short waits end at once, long ones never. */
export class HeldClock {
  #nowMs = moment;

  /** Replaces the page's clock. */
  holdTime(): void {
    const wait = globalThis.setTimeout;
    Date.now = () => this.#nowMs;
    Object.assign(globalThis, {
      setTimeout: (work: () => void, ms = 0) => (ms < longMs ? wait(work, 0) : 0),
    });
  }

  set(timeMs: number): void {
    this.#nowMs = timeMs;
  }
}

/** Starts the page's clock at the scenarios' moment. */
export function startClock(): void {
  const readTime = Date.now;
  const startedAt = readTime();
  Date.now = () => moment + readTime() - startedAt;
}
