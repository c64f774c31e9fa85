import { rename } from 'node:fs/promises';

/**
 * The drive of the watched folders. Access by path goes through `use`, so that no folder is created while the
 * drive is unplugged; open files can still be written.
 */
export class RemovableDrive {
  readonly #folder: string;
  #users = 0;
  #unplugged: Promise<void> | null = null;
  #plugIn = () => {};
  #lastLeft = () => {};

  constructor(folder: string) {
    this.#folder = folder;
  }

  async use<T>(work: () => Promise<T>): Promise<T> {
    while (this.#unplugged) await this.#unplugged;
    this.#users += 1;
    try {
      return await work();
    } finally {
      this.#users -= 1;
      if (this.#users === 0) this.#lastLeft();
    }
  }

  async unplug(): Promise<void> {
    this.#unplugged = new Promise((resolve) => {
      this.#plugIn = resolve;
    });
    if (this.#users > 0) {
      await new Promise<void>((resolve) => {
        this.#lastLeft = resolve;
      });
    }
    await rename(this.#folder, `${this.#folder}.unplugged`);
  }

  async plugIn(): Promise<void> {
    await rename(`${this.#folder}.unplugged`, this.#folder);
    this.#unplugged = null;
    this.#plugIn();
  }
}
