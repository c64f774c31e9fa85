import type { Clock } from '../../../main/ports.ts';

/** A clock on which time only passes in sleeps, from `startAt` (ms). */
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
