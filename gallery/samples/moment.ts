/** Current time in every scenario: a Friday morning. ms since the epoch. */
export const moment = Date.UTC(2026, 10, 20, 6, 51);

/** Shorter waits aren't shown. */
const longMs = 1000;

/** A stopped clock at the scenarios' moment: short waits end at once, long ones never. */
export class HeldClock {
  #now = moment;

  /** Replaces the page's clock. */
  hold(): void {
    const wait = globalThis.setTimeout;
    Date.now = () => this.#now;
    Object.assign(globalThis, {
      setTimeout: (work: () => void, ms = 0) => (ms < longMs ? wait(work, 0) : 0),
    });
  }

  set(now: number): void {
    this.#now = now;
  }
}

/** Starts the page's clock at the scenarios' moment. */
export function startClock(): void {
  const now = Date.now;
  const began = now();
  Date.now = () => moment + now() - began;
}
