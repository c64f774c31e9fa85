/** What reaches outside the process. Every room is handed these; none reaches for them. */

/** Wall clock and waiting. Times are milliseconds since the Unix epoch. */
export interface Clock {
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The network, as `fetch` gives it. The desktop hands in one that follows the system's proxy. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** Opens an address in the system browser. Rejects when no browser could be started. */
export type OpenBrowser = (address: string) => Promise<void>;

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};
