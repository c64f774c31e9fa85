import { type GatheredChanges, gatherChanges } from '../gather-changes.ts';

/** What a person has of the window: hidden is also one that is minimized, or that has not been shown yet. */
export type InSight = 'seen' | 'hidden' | 'closed';

/** Whether anybody can see what the page is told. */
export interface Sight {
  now(): InSight;
  /** Tells of each change once it has happened. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
}

interface Told<Change> {
  /** From the first change to the telling while the page is seen, ms. */
  readonly seenMs: number;
  /** The same while it is hidden. */
  readonly hiddenMs: number;
  readonly tell: (changes: ReadonlySet<Change>) => void;
  /** The page is gone, and what was gathered for it. */
  readonly onClosed?: () => void;
}

/**
 * Gathers changes, equal ones as one, and tells of them together: often while the page is seen, seldom while
 * it is hidden, at once when it is shown again. A closed page is told nothing: the next one asks for
 * everything when it opens.
 */
export function gatherInSight<Change>(
  sight: Sight,
  { seenMs, hiddenMs, tell, onClosed }: Told<Change>,
): Pick<GatheredChanges<Change>, 'add' | 'stop'> {
  // Not every desktop says that it shows a window again: the first change then ends the long wait.
  const changes = gatherChanges(() => (sight.now() === 'seen' ? seenMs : hiddenMs), tell);
  const unsubscribe = sight.onChange(() => {
    const now = sight.now();
    if (now === 'seen') changes.flush();
    if (now !== 'closed') return;
    changes.stop();
    onClosed?.();
  });
  return {
    add: (change) => {
      if (sight.now() !== 'closed') changes.add(change);
    },
    stop: () => {
      unsubscribe();
      changes.stop();
    },
  };
}

/** How often a hidden page hears of what has a pace of its own, ms. */
const hiddenPaceMs = 1_000;

/**
 * For what is told at its own pace: passes it on as it comes while the page is seen; while it is hidden once
 * a second at most, and at once when it is shown again. `join`: what two that wait say together; the later
 * alone where it says everything.
 */
export function paceInSight<Value>(
  sight: Sight,
  send: (value: Value) => void,
  join: (earlier: Value, later: Value) => Value = (_, later) => later,
): (value: Value) => void {
  let held: { readonly value: Value } | null = null;
  const flush = () => {
    const told = held;
    held = null;
    if (told) send(told.value);
  };
  const waiting = gatherInSight<'held'>(sight, {
    seenMs: 0,
    hiddenMs: hiddenPaceMs,
    tell: flush,
    onClosed: () => {
      held = null;
    },
  });
  return (value) => {
    const now = sight.now();
    if (now === 'closed') return;
    held = { value: held ? join(held.value, value) : value };
    if (now === 'seen') flush();
    else waiting.add('held');
  };
}
