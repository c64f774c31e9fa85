/** Time of day for responses and comparisons, and steady time for lifetimes. Times are ms. */
export interface ServiceClock {
  now(): number;
  /** Not moved by `skew`, so that a wrong clock shortens no lifetime. */
  steady(): number;
  skew(ms: number): void;
}

/** A clock based on the machine's. `machine` returns ms since the epoch. */
export function makeServiceClock(machine: () => number = Date.now): ServiceClock {
  let advancedMs = 0;
  return {
    now: () => machine() + advancedMs,
    steady: machine,
    skew: (ms) => {
      advancedMs = ms;
    },
  };
}
