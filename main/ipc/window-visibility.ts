import { type GatheredChanges, gatherChanges } from '../gather-changes.ts';

/** Window visibility; minimized or not yet shown counts as hidden. */
export type InSight = 'seen' | 'hidden' | 'closed';

/** Reports whether the user can see the page. */
export interface Sight {
  now(): InSight;
  /** Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
}

interface Told<Change> {
  readonly seenMs: number;
  readonly hiddenMs: number;
  readonly tell: (changes: ReadonlySet<Change>) => void;
  /** Called when the page closes, which drops gathered changes. */
  readonly onClosed?: () => void;
}

/**
 * Reports distinct changes together: often to a visible page, rarely to a hidden one, at once when it is
 * shown again, never to a closed page, since a new one fetches everything.
 */
export function gatherInSight<Change>(
  sight: Sight,
  { seenMs, hiddenMs, tell, onClosed }: Told<Change>,
): Pick<GatheredChanges<Change>, 'add' | 'stop'> {
  // Some desktops don't report that a window is shown again; the next change then ends the long delay.
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

const hiddenPaceMs = 1_000;

/**
 * Forwards values at once to a visible page, at most once a second to a hidden one, and when it is shown
 * again. `join`: merges two waiting values; by default the later one wins.
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
