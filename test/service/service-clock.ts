/**
 * Two readings of time: what the service says and compares with, and what lives are measured by. Times are
 * ms.
 */
export interface ServiceClock {
  /** The time of day as the service believes it; `skew` moves it. */
  now(): number;
  /** Never moved by `skew`, so that a wrong clock does not shorten any life. */
  steady(): number;
  skew(ms: number): void;
}

/** A clock over the machine's. `machine` gives ms since the epoch. */
export function makeServiceClock(machine: () => number = Date.now): ServiceClock {
  let ahead = 0;
  return {
    now: () => machine() + ahead,
    steady: machine,
    skew: (ms) => {
      ahead = ms;
    },
  };
}
