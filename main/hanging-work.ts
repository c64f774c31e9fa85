import { setTimeout } from 'node:timers/promises';

/**
 * What was given up and may still hang in the system: a dead drive answers nothing, and neither a thread nor a call that waits for it can be ended
 * from within. A process with such a call does not end by itself either, so whoever quits has to know.
 */
const hanging = new Set<Promise<unknown>>();

/** Nobody waits for this any more, however it ends. */
export function giveUp(work: Promise<unknown>): void {
  const over = work.then(
    () => {},
    () => {},
  );
  hanging.add(over);
  void over.then(() => hanging.delete(over));
}

/** True as soon as nothing that was given up hangs any more; false when something still does after `ms`. */
export async function nothingHangs(ms: number): Promise<boolean> {
  const late = new AbortController();
  const limit = setTimeout(ms, undefined, { signal: late.signal }).catch(() => {});
  const quiet = (async () => {
    while (hanging.size > 0) await Promise.all(hanging);
  })();
  await Promise.race([quiet, limit]);
  late.abort();
  return hanging.size === 0;
}
