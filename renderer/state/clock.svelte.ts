export interface SeenPage {
  readonly visibilityState: DocumentVisibilityState;
  addEventListener(name: 'visibilitychange', listener: () => void): void;
  removeEventListener(name: 'visibilitychange', listener: () => void): void;
}

/** Time of day for countdowns, updated each second while the page is visible. */
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

  start(): () => void {
    const follow = () => {
      clearInterval(this.#timer);
      if (this.#page.visibilityState === 'hidden') return;
      this.#update();
      this.#timer = setInterval(() => this.#update(), 1000);
    };
    follow();
    this.#page.addEventListener('visibilitychange', follow);
    return () => {
      clearInterval(this.#timer);
      this.#page.removeEventListener('visibilitychange', follow);
    };
  }

  #update(): void {
    this.now = this.#read();
  }
}
