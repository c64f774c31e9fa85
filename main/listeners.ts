interface Listeners<Told extends readonly unknown[]> {
  /** Returns an unsubscribe function. */
  add(listener: (...values: Told) => void): () => void;
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
