/** Who wants to be told of something. */
interface Listeners<Told extends readonly unknown[]> {
  /** Returns an unsubscribe function. */
  add(listener: (...told: Told) => void): () => void;
  /** Calls each of them, in the order in which they came. */
  tell(...told: Told): void;
  clear(): void;
}

export function createListeners<Told extends readonly unknown[]>(): Listeners<Told> {
  const listeners = new Set<(...told: Told) => void>();
  return {
    add: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    tell: (...told) => {
      for (const listener of listeners) listener(...told);
    },
    clear: () => listeners.clear(),
  };
}
