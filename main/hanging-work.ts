/**
 * What was given up and may still hang in the system: a dead drive answers nothing, and neither a thread nor
 * a call that waits for it can be ended from within. A process with such a call does not end by itself
 * either, so whoever quits has to know.
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

/** What came of it, or undefined when nothing did within `ms`. Rejects as `work` does. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** True as soon as nothing that was given up hangs any more; false when something still does after `ms`. */
export async function nothingHangs(ms: number): Promise<boolean> {
  const quiet = async () => {
    while (hanging.size > 0) await Promise.all(hanging);
  };
  await within(quiet(), ms);
  return hanging.size === 0;
}

/**
 * `within`, for what may hang for good: a dead file server answers nothing for minutes. What has not answered
 * is given up.
 */
export async function withPatience<T>(asked: Promise<T>, ms: number): Promise<T | undefined> {
  let answered = false;
  const answer = asked.finally(() => {
    answered = true;
  });
  try {
    return await within(answer, ms);
  } finally {
    if (!answered) giveUp(answer);
  }
}
