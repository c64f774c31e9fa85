/** What changes often and is told of together. */
interface GatheredChanges<Change> {
  add(change: Change): void;
  /** What is gathered is then told no more. */
  stop(): void;
}

/** Gathers changes, equal ones as one, and tells of them together `ms` after the first. */
export function gatherChanges<Change>(
  ms: number,
  tell: (changes: ReadonlySet<Change>) => void,
): GatheredChanges<Change> {
  let gathered = new Set<Change>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    const changes = gathered;
    timer = undefined;
    gathered = new Set();
    tell(changes);
  };
  return {
    add: (change) => {
      gathered.add(change);
      timer ??= setTimeout(flush, ms);
    },
    stop: () => clearTimeout(timer),
  };
}
