import type { ProxyAsk, ProxyLogin } from '../shared/proxy.ts';

/** Everything outside the process, injected into each module. */

export type { ProxyAsk, ProxyLogin };

/** Times in ms. */
export interface Clock {
  /** Ms since the Unix epoch. It may jump: measures no durations. */
  now(): number;
  /** Monotonic ms, for deadlines. */
  elapsed(): number;
  /** Rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The desktop's `fetch` follows the system's proxy. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** The proxies of this computer's network. */
export interface NetworkWay {
  /** As in PAC scripts: "PROXY proxy.office:3128; DIRECT". */
  proxyFor(origin: string): Promise<string>;
  /** For `host:port`; null for none. */
  proxyLogin(proxy: string): ProxyLogin | null;
  /**
   * The proxy refused the login (null: none): returns a newer one or asks the user; null if declined.
   * Concurrent questions share an answer.
   */
  askProxyLogin(proxy: ProxyAsk, refusedLogin: ProxyLogin | null): Promise<ProxyLogin | null>;
}

export const directRoute: NetworkWay = {
  proxyFor: async () => 'DIRECT',
  proxyLogin: () => null,
  askProxyLogin: async () => null,
};

/** Rejects if no browser could be started. */
export type OpenBrowser = (address: string) => Promise<void>;

/** Node fires longer timers immediately. */
const maxTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: async (ms, signal) => {
    for (let remaining = ms; ; remaining -= maxTimerMs) {
      await timer(Math.min(remaining, maxTimerMs), signal);
      if (remaining <= maxTimerMs) return;
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
