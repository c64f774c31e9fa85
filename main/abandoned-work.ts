/** Abandoned work may hang, for example on a dead drive, and keeps the process alive. */
const abandoned = new Set<Promise<unknown>>();

/** Abandons work whose result no caller needs. */
export function abandon(work: Promise<unknown>): void {
  const settled = work.then(
    () => {},
    () => {},
  );
  abandoned.add(settled);
  void settled.then(() => abandoned.delete(settled));
}

/** Undefined after `ms`. Rejects like `work`. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** False if some still hangs after `ms`. */
export async function settleAbandoned(ms: number): Promise<boolean> {
  const waitForWork = async () => {
    while (abandoned.size > 0) await Promise.all(abandoned);
  };
  await within(waitForWork(), ms);
  return abandoned.size === 0;
}

/** Like `within`, for work that may hang forever; abandons it. */
export async function withinOrAbandon<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let hasAnswered = false;
  const answer = work.finally(() => {
    hasAnswered = true;
  });
  try {
    return await within(answer, ms);
  } finally {
    if (!hasAnswered) abandon(answer);
  }
}
