import { type GatheredChanges, gatherChanges } from '../gather-changes.ts';

/** Window visibility; minimized or not yet shown counts as hidden. */
export type InSight = 'seen' | 'hidden' | 'closed';

/** Reports whether the user can see the page. */
export interface Sight {
  state(): InSight;
  /** Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
}

interface Told<Change> {
  readonly seenMs: number;
  readonly hiddenMs: number;
  readonly notify: (changes: ReadonlySet<Change>) => void;
  /** Called when the page closes, which drops gathered changes. */
  readonly onClosed?: () => void;
}

/**
 * Reports distinct changes together: often to a visible page, rarely to a hidden one, at once when it is
 * shown again, never to a closed page, since a new one fetches everything.
 */
export function gatherInSight<Change>(
  sight: Sight,
  { seenMs, hiddenMs, notify, onClosed }: Told<Change>,
): Pick<GatheredChanges<Change>, 'add' | 'stop'> {
  // Some desktops don't report that a window is shown again; the next change then ends the long delay.
  const changes = gatherChanges(() => (sight.state() === 'seen' ? seenMs : hiddenMs), notify);
  const unsubscribe = sight.onChange(() => {
    const visibility = sight.state();
    if (visibility === 'seen') changes.flush();
    if (visibility !== 'closed') return;
    changes.stop();
    onClosed?.();
  });
  return {
    add: (change) => {
      if (sight.state() !== 'closed') changes.add(change);
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
  let pendingValue: { readonly value: Value } | null = null;
  const flush = () => {
    const sentValue = pendingValue;
    pendingValue = null;
    if (sentValue) send(sentValue.value);
  };
  const delayedFlush = gatherInSight<'held'>(sight, {
    seenMs: 0,
    hiddenMs: hiddenPaceMs,
    notify: flush,
    onClosed: () => {
      pendingValue = null;
    },
  });
  return (value) => {
    const visibility = sight.state();
    if (visibility === 'closed') return;
    pendingValue = { value: pendingValue ? join(pendingValue.value, value) : value };
    if (visibility === 'seen') flush();
    else delayedFlush.add('held');
  };
}
