import { setTimeout } from 'node:timers/promises';

/** Resolves when the work has ended, however it did, or after `ms` whatever hangs. */
export async function settledWithin(work: Promise<unknown>, ms: number): Promise<void> {
  const late = new AbortController();
  const limit = setTimeout(ms, undefined, { signal: late.signal }).catch(() => {});
  await Promise.race([work.catch(() => {}), limit]);
  late.abort();
}
