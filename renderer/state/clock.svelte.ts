/** The time of day for countdowns, told once a second to whoever reads it. */
export class Clock {
  now: number = $state(0);
  readonly #read: () => number;

  constructor(read: () => number) {
    this.#read = read;
    this.now = read();
  }

  /** Returns an unsubscribe function. */
  start(): () => void {
    const timer = setInterval(() => {
      this.now = this.#read();
    }, 1000);
    return () => clearInterval(timer);
  }
}
