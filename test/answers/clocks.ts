import { type Clock, systemClock } from '../../main/ports.ts';
import { sleepCaller, withWaitCheck } from '../wait-check.ts';

export interface AnswersClock extends Clock {
  advance(ms: number): void;
}

/** Real time, but retries and polls wait this long at most. */
const longestWaitMs = 5;
/** Sources of timeouts, which must not fire early: of requests, and of the user in the browser. */
const limits: readonly string[] = ['main/service/http-request.ts', 'main/account/account-service.ts'];

export function hurriedClock(): AnswersClock {
  return clockWith(1, (ms) => Math.min(ms, longestWaitMs));
}

/** Speeds up everything but timeouts by the factor. */
export function fastClock(factor: number): AnswersClock {
  return clockWith(factor, (ms) => ms / factor);
}

function clockWith(factor: number, pause: (ms: number) => number): AnswersClock {
  const startTimes = { now: Date.now(), elapsed: systemClock.elapsed() };
  let advancedMs = 0;
  const elapsedMs = () => (systemClock.elapsed() - startTimes.elapsed) * factor + advancedMs;
  return withWaitCheck({
    now: () => startTimes.now + elapsedMs(),
    elapsed: () => startTimes.elapsed + elapsedMs(),
    sleep: (ms: number, signal?: AbortSignal) =>
      systemClock.sleep(limits.includes(sleepCaller()) ? ms : pause(ms), signal),
    advance: (ms: number) => {
      advancedMs += ms;
    },
  });
}
