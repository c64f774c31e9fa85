/** The time of every scenario: a Friday morning, so that all pictures agree on it. ms since the epoch. */
export const moment = Date.UTC(2026, 10, 20, 6, 51);

/** Whoever waits for less is not looked at while they wait. */
const longMs = 1000;

/** The page's time, standing at the scenarios' moment: short waits are over at once, long ones never end. */
export class HeldClock {
  #now = moment;

  /** From here on the page lives by this clock. */
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

/** The page's time runs, beginning at the scenarios' moment. */
export function startClock(): void {
  const now = Date.now;
  const began = now();
  Date.now = () => moment + now() - began;
}
