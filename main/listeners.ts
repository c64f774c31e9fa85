interface Listeners<Values extends readonly unknown[]> {
  /** Returns an unsubscribe function. */
  add(listener: (...values: Values) => void): () => void;
  emit(...values: Values): void;
  clear(): void;
}

export function createListeners<Values extends readonly unknown[]>(): Listeners<Values> {
  const listeners = new Set<(...values: Values) => void>();
  return {
    add: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    emit: (...values) => {
      for (const listener of listeners) listener(...values);
    },
    clear: () => listeners.clear(),
  };
}
