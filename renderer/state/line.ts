/** Whether this computer has a network at all. */
export interface Line {
  isUp(): boolean;
  /** Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
}

/** What a window knows of it. */
interface WindowLine {
  readonly navigator: { readonly onLine: boolean };
  addEventListener(name: 'online' | 'offline', listener: () => void): void;
  removeEventListener(name: 'online' | 'offline', listener: () => void): void;
}

/** As the system tells Chromium, and Chromium tells each of its pages at once. Main would have to ask again and again. */
export function lineOf(window: WindowLine): Line {
  const names = ['online', 'offline'] as const;
  return {
    isUp: () => window.navigator.onLine,
    onChange: (listener) => {
      for (const name of names) window.addEventListener(name, listener);
      return () => {
        for (const name of names) window.removeEventListener(name, listener);
      };
    },
  };
}
