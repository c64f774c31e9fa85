import { hasEnded, type JobStatus } from './job-status.ts';

interface Waiting {
  readonly status: JobStatus;
  /** Unique; the lowest comes first. */
  readonly place: number;
}

/** Orders jobs with running credentials first, then begun ones, then by place. Pure. */
export function byTurn(a: Waiting, b: Waiting): number {
  return urgency(a.status) - urgency(b.status) || a.place - b.place;
}

function urgency(status: JobStatus): number {
  if (status === 'uploading') return 0;
  return status === 'creating' ? 1 : 2;
}

/** Sections of the job list. */
export type QueuePart = 'under-way' | 'queued' | 'ended';

/** Returns the only section that counts the job. Paused and blocked jobs are under way once begun. */
export function partOf({ status, isQueued }: Counted): QueuePart {
  if (hasEnded(status)) return 'ended';
  return isQueued ? 'queued' : 'under-way';
}

interface Counted {
  readonly status: JobStatus;
  /** Waits for its turn, or is paused while doing so. */
  readonly isQueued: boolean;
}

interface Placed {
  readonly id: string;
  readonly place: number;
}

/**
 * Returns the changed places after moving `ids` in front of another job, in their order. Redistributes
 * existing places, so that other jobs keep theirs.
 *
 * @param queue all waiting jobs, in any order
 * @param successorId null: to the end. If this job has left the queue, `ids` come first
 */
export function movedPlaces(
  queue: readonly Placed[],
  ids: ReadonlySet<string>,
  successorId: string | null,
): ReadonlyMap<string, number> {
  const order = queue.toSorted((a, b) => a.place - b.place);
  const moving = order.filter(({ id }) => ids.has(id));
  const staying = order.filter(({ id }) => !ids.has(id));
  const target = order.findIndex(({ id }) => id === successorId);
  const nextJob = order.slice(Math.max(target, 0)).find(({ id }) => !ids.has(id));
  const end = successorId === null || nextJob === undefined;
  const insertIndex = end ? staying.length : staying.indexOf(nextJob);
  const changed = new Map<string, number>();
  for (const [index, { id, place }] of staying.toSpliced(insertIndex, 0, ...moving).entries()) {
    const newPlace = order[index]?.place ?? place;
    if (newPlace !== place) changed.set(id, newPlace);
  }
  return changed;
}
