/** What changes often and is told of together. */
export interface GatheredChanges<Change> {
  add(change: Change): void;
  /** Tells of what is gathered, now. */
  flush(): void;
  /** Forgets what is gathered. */
  stop(): void;
}

/**
 * Gathers changes, equal ones as one, and tells of them together some time after the first.
 *
 * @param delay ms; a function is asked at each change, which may shorten the time but never prolongs it
 */
export function gatherChanges<Change>(
  delay: number | (() => number),
  tell: (changes: ReadonlySet<Change>) => void,
): GatheredChanges<Change> {
  let gathered = new Set<Change>();
  let timer: NodeJS.Timeout | undefined;
  let delayMs = 0;
  const take = () => {
    const changes = gathered;
    clearTimeout(timer);
    timer = undefined;
    gathered = new Set();
    return changes;
  };
  const flush = () => {
    const changes = take();
    if (changes.size > 0) tell(changes);
  };
  return {
    add: (change) => {
      gathered.add(change);
      const ms = typeof delay === 'number' ? delay : delay();
      if (timer !== undefined && ms >= delayMs) return;
      clearTimeout(timer);
      delayMs = ms;
      timer = setTimeout(flush, ms);
    },
    flush,
    stop: take,
  };
}
