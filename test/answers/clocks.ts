import { type Clock, systemClock } from '../../main/outside.ts';
import { requestTimeoutMs } from '../../main/service/http-request.ts';

export interface AnswersClock extends Clock {
  /** Puts the wall clock ahead. */
  advance(ms: number): void;
}

/** Real time, but nobody waits longer than this for a try or a poll. */
const longestWaitMs = 5;
const minute = 60_000;
/** A limit, not a pause, must not come early: that of a request, and that of a person at the browser. */
const isLimit = (ms: number) => ms === requestTimeoutMs || (ms > 9 * minute && ms <= 10 * minute);

export function hurriedClock(): AnswersClock {
  return clockWith(1, (ms) => Math.min(ms, longestWaitMs));
}

/** Everything but limits goes that much faster. */
export function fastClock(factor: number): AnswersClock {
  return clockWith(factor, (ms) => ms / factor);
}

function clockWith(factor: number, pause: (ms: number) => number): AnswersClock {
  const begun = { now: Date.now(), elapsed: systemClock.elapsed() };
  let ahead = 0;
  const passed = () => (systemClock.elapsed() - begun.elapsed) * factor + ahead;
  return {
    now: () => begun.now + passed(),
    elapsed: () => begun.elapsed + passed(),
    sleep: (ms, signal) => systemClock.sleep(isLimit(ms) ? ms : pause(ms), signal),
    advance: (ms) => {
      ahead += ms;
    },
  };
}
