import type { AmountOfData } from './job.ts';
import { hasEnded, isToUpload, type JobStatus, type JobWait } from './job-status.ts';

interface WaitingJob {
  readonly status: JobStatus;
  /** Unique; the lowest comes first. */
  readonly place: number;
}

/** Orders jobs with running credentials first, then begun ones, then by place. Pure. */
export function byTurn(a: WaitingJob, b: WaitingJob): number {
  return urgency(a.status) - urgency(b.status) || a.place - b.place;
}

function urgency(status: JobStatus): number {
  if (status === 'uploading') return 0;
  return status === 'creating' ? 1 : 2;
}

/** Sections of the job list. */
export type QueuePart = 'under-way' | 'queued' | 'ended';

/** Returns the only section that counts the job. Paused and blocked jobs are under way once begun. */
export function partOf({ status, isQueued }: CountedJob): QueuePart {
  if (hasEnded(status)) return 'ended';
  return isQueued ? 'queued' : 'under-way';
}

interface CountedJob {
  readonly status: JobStatus;
  /** Waits for its turn, or is paused while doing so. */
  readonly isQueued: boolean;
}

interface SendingJob {
  readonly status: JobStatus;
  readonly waitingFor: JobWait | null;
  readonly bytesTotal: number | null;
  readonly bytesDone: number;
  readonly bytesPerSecond: number | null;
  readonly secondsLeft: number | null;
  readonly expected: AmountOfData | null;
}

/**
 * Seconds until the whole queue is uploaded at the current speed. Jobs that wait for a user, a drive or the
 * network don't count. Null if nothing is being sent, or if the size of a queued job is unknown. Pure.
 */
export function queueSecondsLeft(jobs: readonly SendingJob[]): number | null {
  const coming = jobs.filter(
    ({ status, waitingFor }) => isToUpload(status) && (waitingFor === null || waitingFor === 'turn'),
  );
  const sizes = coming.map(({ bytesTotal, bytesDone, expected }) => {
    const total = bytesTotal ?? expected?.bytes ?? null;
    return total === null ? null : Math.max(0, total - bytesDone);
  });
  const bytesPerSecond = coming.reduce((sum, job) => sum + (job.bytesPerSecond ?? 0), 0);
  if (bytesPerSecond <= 0 || sizes.includes(null)) return null;
  const bytesLeft = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  return Math.max(bytesLeft / bytesPerSecond, ...coming.map((job) => job.secondsLeft ?? 0));
}

interface PlacedJob {
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
  queue: readonly PlacedJob[],
  ids: ReadonlySet<string>,
  successorId: string | null,
): ReadonlyMap<string, number> {
  const order = queue.toSorted((a, b) => a.place - b.place);
  const movingJobs = order.filter(({ id }) => ids.has(id));
  const stayingJobs = order.filter(({ id }) => !ids.has(id));
  const target = order.findIndex(({ id }) => id === successorId);
  const nextJob = order.slice(Math.max(target, 0)).find(({ id }) => !ids.has(id));
  const end = successorId === null || nextJob === undefined;
  const insertIndex = end ? stayingJobs.length : stayingJobs.indexOf(nextJob);
  const changedPlaces = new Map<string, number>();
  for (const [index, { id, place }] of stayingJobs.toSpliced(insertIndex, 0, ...movingJobs).entries()) {
    const newPlace = order[index]?.place ?? place;
    if (newPlace !== place) changedPlaces.set(id, newPlace);
  }
  return changedPlaces;
}
