import type { Storage } from './storage.ts';

/** The storage clients that are open now, to be told what concerns all connections. */
export class OpenStores {
  readonly #open = new Set<Storage>();

  /** The same storage, known here until it is closed. */
  keep(storage: Storage): Storage {
    this.#open.add(storage);
    return {
      ...storage,
      close: () => {
        this.#open.delete(storage);
        storage.close();
      },
    };
  }

  /** After sleep, or in another network. */
  renewConnections(): void {
    for (const storage of this.#open) storage.renewConnections();
  }
}
