/** Whether this computer has a network at all. */
export interface Line {
  isUp(): boolean;
  /** Returns the way to stop listening. */
  onChange(listener: () => void): () => void;
}

/** As the system tells Chromium, and Chromium tells each of its pages at once. Main would have to ask again and again. */
export function lineOf(window: Window): Line {
  return {
    isUp: () => window.navigator.onLine,
    onChange: (listener) => {
      window.addEventListener('online', listener);
      window.addEventListener('offline', listener);
      return () => {
        window.removeEventListener('online', listener);
        window.removeEventListener('offline', listener);
      };
    },
  };
}
