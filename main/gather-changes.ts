/** Coalesces frequent changes. */
export interface GatheredChanges<Change> {
  add(change: Change): void;
  /** Emits the pending changes now. */
  flush(): void;
  /** Discards the pending changes. */
  stop(): void;
}

/** @param delay ms; a function is called at each change and may only shorten the current delay */
export function gatherChanges<Change>(
  delay: number | (() => number),
  emit: (changes: ReadonlySet<Change>) => void,
): GatheredChanges<Change> {
  let gatheredChanges = new Set<Change>();
  let timer: NodeJS.Timeout | undefined;
  let delayMs = 0;
  const takePending = () => {
    const changes = gatheredChanges;
    clearTimeout(timer);
    timer = undefined;
    gatheredChanges = new Set();
    return changes;
  };
  const flush = () => {
    const changes = takePending();
    if (changes.size > 0) emit(changes);
  };
  return {
    add: (change) => {
      gatheredChanges.add(change);
      const ms = typeof delay === 'number' ? delay : delay();
      if (timer !== undefined && ms >= delayMs) return;
      clearTimeout(timer);
      delayMs = ms;
      timer = setTimeout(flush, ms);
    },
    flush,
    stop: takePending,
  };
}
