import type { Clock } from '../../../main/ports.ts';

/** A clock that advances only in sleeps, from `startAt` (ms). */
export function passingClock(startAt: number): Clock {
  let now = startAt;
  return {
    now: () => now,
    elapsed: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  };
}
