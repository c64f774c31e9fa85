/** Rows of uploads in three sections: active, queued, ended. */

import type { JobView } from '../../../preload/contract.ts';
import { type EndedRest, noRest } from '../../../shared/job.ts';
import { byTurn, partOf, type QueuePart } from '../../../shared/queue.ts';

const sections: readonly QueuePart[] = ['under-way', 'queued', 'ended'];

interface SectionRow {
  readonly kind: 'section';
  readonly id: string;
  readonly section: QueuePart;
  readonly count: number;
  readonly bytes: number;
}

export interface JobRowFacts {
  readonly kind: 'job';
  readonly id: string;
  readonly job: JobView;
  /** Position in its section, from 1, and the section's length. */
  readonly place: number;
  readonly count: number;
  /** Position among queued jobs without paused ones, from 1; null outside the queue. */
  readonly turn: number | null;
}

export type QueueRow = SectionRow | JobRowFacts;

/** The queue with paused jobs, the next job first. */
export function queueOf(jobs: readonly JobView[]): readonly JobView[] {
  return jobs.filter(({ isQueued }) => isQueued).toSorted(byTurn);
}

/**
 * Rows of the shown jobs. A section has a heading unless it is the only one.
 *
 * @param shownJobs newest first
 * @param allJobs determines turns, including hidden jobs
 * @param remainder ended jobs that aren't loaded
 */
export function queueRows(
  shownJobs: readonly JobView[],
  allJobs: readonly JobView[],
  remainder: EndedRest = noRest,
): readonly QueueRow[] {
  const turns = new Map(
    queueOf(allJobs)
      .filter(({ status }) => status !== 'paused')
      .map(({ id }, index) => [id, index + 1]),
  );
  const parts = sections.flatMap((section) => {
    const jobs = shownJobs.filter((job) => partOf(job) === section);
    return jobs.length === 0 ? [] : [{ section, jobs: section === 'queued' ? queueOf(jobs) : jobs }];
  });
  return parts.flatMap(({ section, jobs }): readonly QueueRow[] => {
    const remaining = section === 'ended' ? remainder : noRest;
    const count = jobs.length + remaining.count;
    const rows = jobs.map((job, index): JobRowFacts => {
      const queuePosition = turns.get(job.id) ?? null;
      return { kind: 'job', id: job.id, job, place: index + 1, count, turn: queuePosition };
    });
    const bytes = jobs.reduce(
      (sum, job) => sum + (job.bytesTotal ?? job.expected?.bytes ?? 0),
      remaining.bytes,
    );
    const head = { kind: 'section', id: `part-${section}`, section, count, bytes } as const;
    return parts.length > 1 ? [head, ...rows] : rows;
  });
}

/** A move within the queue: before another job, or to the end (null). */
export interface Move {
  readonly ids: readonly string[];
  readonly before: string | null;
}

/**
 * The first moved job's new position, from 1. Works with the queue before or after the move, because its
 * event may arrive late.
 */
export function placeOf({ ids, before: successor }: Move, queue: readonly JobView[]): number {
  const stayingJobs = queue.filter(({ id }) => !ids.includes(id));
  return successor === null
    ? stayingJobs.length + 1
    : Math.max(
        0,
        stayingJobs.findIndex(({ id }) => id === successor),
      ) + 1;
}

/** One step up or down, or to the front; null if nothing changes. */
export function stepOf(
  queue: readonly JobView[],
  movedIds: ReadonlySet<string>,
  way: 'up' | 'down' | 'next',
): Move | null {
  const ids = queue.flatMap(({ id }) => (movedIds.has(id) ? [id] : []));
  const stayingJobs = queue.filter(({ id }) => !movedIds.has(id));
  if (ids.length === 0 || stayingJobs.length === 0) return null;
  const firstIndex = queue.findIndex(({ id }) => movedIds.has(id));
  const lastIndex = queue.findLastIndex(({ id }) => movedIds.has(id));
  const isTogether = lastIndex - firstIndex + 1 === ids.length;
  switch (way) {
    case 'next':
      return firstIndex === 0 && isTogether ? null : { ids, before: stayingJobs[0]?.id ?? null };
    case 'up':
      return firstIndex === 0 && isTogether
        ? null
        : { ids, before: queue[Math.max(0, firstIndex - 1)]?.id ?? null };
    case 'down':
      if (lastIndex === queue.length - 1 && isTogether) return null;
      return { ids, before: queue.slice(lastIndex + 1).filter(({ id }) => !movedIds.has(id))[1]?.id ?? null };
  }
}
