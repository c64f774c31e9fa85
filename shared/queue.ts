import { hasEnded, type JobStatus } from './job-status.ts';

/** The order in which jobs get their turn to send. Pure: who drives them and who shows them ask the same. */

interface Waiting {
  readonly status: JobStatus;
  /** A lower one comes first. No two jobs have the same. */
  readonly place: number;
}

/** Whose credentials already run comes first, then whoever has begun, then by place. */
export function byTurn(a: Waiting, b: Waiting): number {
  return urgency(a.status) - urgency(b.status) || a.place - b.place;
}

function urgency(status: JobStatus): number {
  if (status === 'uploading') return 0;
  return status === 'creating' ? 1 : 2;
}

/** What a list of jobs falls into. */
export type QueuePart = 'under-way' | 'queued' | 'ended';

/**
 * Where a job is counted, wherever jobs are: each in one part alone. Under way is whatever has begun and not
 * ended, also while it is paused or waits for something other than its turn.
 */
export function partOf({ status, isQueued }: Counted): QueuePart {
  if (hasEnded(status)) return 'ended';
  return isQueued ? 'queued' : 'under-way';
}

interface Counted {
  readonly status: JobStatus;
  /** It waits for its turn, or would if it were not paused. */
  readonly isQueued: boolean;
}

interface Placed {
  readonly id: string;
  readonly place: number;
}

/**
 * The places that change when `ids` are put before another job, keeping their order among themselves: the
 * same places as before, handed out anew, so that jobs that don't wait keep theirs.
 *
 * @param queue all that wait, in any order
 * @param before null: behind all others. One that waits no more has gone ahead: they come first then
 */
export function movedPlaces(
  queue: readonly Placed[],
  ids: ReadonlySet<string>,
  before: string | null,
): ReadonlyMap<string, number> {
  const order = queue.toSorted((a, b) => a.place - b.place);
  const moving = order.filter(({ id }) => ids.has(id));
  const staying = order.filter(({ id }) => !ids.has(id));
  const target = order.findIndex(({ id }) => id === before);
  const next = order.slice(Math.max(target, 0)).find(({ id }) => !ids.has(id));
  const end = before === null || next === undefined;
  const at = end ? staying.length : staying.indexOf(next);
  const changed = new Map<string, number>();
  for (const [index, { id, place }] of staying.toSpliced(at, 0, ...moving).entries()) {
    const given = order[index]?.place ?? place;
    if (given !== place) changed.set(id, given);
  }
  return changed;
}
