import { resolve } from 'node:path';
import type { Clock } from '../main/ports.ts';
import { longestSleepMs, longSleeps } from '../main/service/wait-limits.ts';

/**
 * A clock that shortens sleeps can't fail on one that is too long. So each of them requests its sleeps here:
 * one above the limits of `wait-limits.ts` throws, and fails the test even if that error is caught
 * (`test/fail-on-long-sleeps.ts`).
 */

const tooLong: string[] = [];

/** Returns and forgets the sleeps that were too long. */
export const takeTooLong = (): string[] => tooLong.splice(0);

/** The same clock, but production code may not request longer sleeps than permitted. */
export function withWaitCheck<Kind extends Clock>(clock: Kind): Kind {
  return {
    ...clock,
    sleep: (ms, signal) => {
      checkSleep(ms);
      return clock.sleep(ms, signal);
    },
  };
}

/** The file in main/ that requests the current sleep, or the test itself. */
export function sleepCaller(): string {
  const [, ...calls] = (new Error().stack ?? '').replaceAll('\\', '/').split(project);
  const files = calls.map((call) => /^main\/[\w./-]+\.ts/.exec(call)?.[0]);
  // These files only forward the request.
  const callers = files.filter((file) => file !== undefined && !passOn.includes(file));
  return callers[0] ?? 'the test';
}

const project = `${resolve(import.meta.dirname, '..').replaceAll('\\', '/')}/`;
const passOn: readonly string[] = ['main/ports.ts', 'main/jobs/steps/live-job.ts'];

function checkSleep(ms: number): void {
  if (ms <= longestSleepMs) return;
  const caller = sleepCaller();
  if (ms <= (longSleeps[caller] ?? longestSleepMs)) return;
  const problem = `${caller} requests a sleep of ${ms} ms: see main/service/wait-limits.ts`;
  tooLong.push(problem);
  throw new Error(problem);
}
