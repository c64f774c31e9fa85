import type { ProxyAsk, ProxyLogin } from '../shared/proxy.ts';

/** What reaches outside the process. Every room is handed these; none reaches for them. */

export type { ProxyAsk, ProxyLogin };

/** Time and waiting, in ms. */
export interface Clock {
  /** Wall clock, ms since the Unix epoch. It may jump; nothing running is measured or limited by it. */
  now(): number;
  /** Monotonic ms; never jumps, never runs back. Deadlines are kept by it. */
  elapsed(): number;
  /** Resolves after `ms` milliseconds, of any number; rejects with the signal's reason when that aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The network, as `fetch` gives it. The desktop hands in one that follows the system's proxy. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** The way out of this computer's network. */
export interface NetworkWay {
  /** Which proxy leads to an origin, as a PAC script answers: "PROXY proxy.office:3128; DIRECT". */
  proxyFor(origin: string): Promise<string>;
  /** What is known for that proxy (`host:port`); null for nothing. */
  proxyLogin(proxy: string): ProxyLogin | null;
  /**
   * The proxy refused what it was given (null: nothing). Gives what is known by now, or asks the person; null
   * when nobody answers. Several that ask about one proxy get one answer.
   */
  askProxyLogin(proxy: ProxyAsk, refused: ProxyLogin | null): Promise<ProxyLogin | null>;
}

/** No proxy anywhere. */
export const directRoute: NetworkWay = {
  proxyFor: async () => 'DIRECT',
  proxyLogin: () => null,
  askProxyLogin: async () => null,
};

/** Opens an address in the system browser. Rejects when no browser could be started. */
export type OpenBrowser = (address: string) => Promise<void>;

/** Node fires a timer that is set further ahead than this at once. */
const maxTimerMs = 2 ** 31 - 1;

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: async (ms, signal) => {
    for (let left = ms; ; left -= maxTimerMs) {
      await timer(Math.min(left, maxTimerMs), signal);
      if (left <= maxTimerMs) return;
    }
  },
};

function timer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      clearTimeout(timeout);
      reject(signal?.reason);
    };
    const timeout = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
