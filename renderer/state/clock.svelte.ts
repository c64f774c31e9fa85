/** Of a page, what says whether anyone can see it. */
export interface SeenPage {
  readonly visibilityState: DocumentVisibilityState;
  addEventListener(name: 'visibilitychange', listener: () => void): void;
  removeEventListener(name: 'visibilitychange', listener: () => void): void;
}

/** The time of day for countdowns, told once a second to whoever reads it, while the page can be seen. */
export class Clock {
  now: number = $state(0);
  readonly #read: () => number;
  readonly #page: SeenPage;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(read: () => number, page: SeenPage) {
    this.#read = read;
    this.#page = page;
    this.now = read();
  }

  /** Returns an unsubscribe function. */
  start(): () => void {
    const follow = () => {
      clearInterval(this.#timer);
      if (this.#page.visibilityState === 'hidden') return;
      this.#tell();
      this.#timer = setInterval(() => this.#tell(), 1000);
    };
    follow();
    this.#page.addEventListener('visibilitychange', follow);
    return () => {
      clearInterval(this.#timer);
      this.#page.removeEventListener('visibilitychange', follow);
    };
  }

  #tell(): void {
    this.now = this.#read();
  }
}
