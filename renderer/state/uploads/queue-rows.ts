/** The rows of the uploads in three parts: what is under way, the queue in its order, what has ended. */

import type { JobView } from '../../../preload/contract.ts';
import type { EndedRest } from '../../../shared/job.ts';
import { byTurn, partOf, type QueuePart } from '../../../shared/queue.ts';

const sections: readonly QueuePart[] = ['under-way', 'queued', 'ended'];

/** What stands above a part. */
interface SectionRow {
  readonly kind: 'section';
  readonly id: string;
  readonly section: QueuePart;
  readonly count: number;
  /** Of all in it, as far as it is known. */
  readonly bytes: number;
}

export interface JobRowFacts {
  readonly kind: 'job';
  readonly id: string;
  readonly job: JobView;
  /** Its place in its part, from 1, and how many there are. */
  readonly place: number;
  readonly count: number;
  /** Whose turn it is, from 1, paused ones left out; null where it waits for none. */
  readonly turn: number | null;
}

export type QueueRow = SectionRow | JobRowFacts;

/** The queue, the next one first, paused ones at their places. */
export function queueOf(jobs: readonly JobView[]): readonly JobView[] {
  return jobs.filter(({ isQueued }) => isQueued).toSorted(byTurn);
}

/**
 * The rows of the jobs that are shown. A part has a row above it where it is not the only one.
 *
 * @param shown newest first
 * @param all what is not shown counts for whose turn it is
 * @param rest ended ones that are not among them yet
 */
export function queueRows(
  shown: readonly JobView[],
  all: readonly JobView[],
  rest: EndedRest = { count: 0, bytes: 0 },
): readonly QueueRow[] {
  const turns = new Map(
    queueOf(all)
      .filter(({ status }) => status !== 'paused')
      .map(({ id }, index) => [id, index + 1]),
  );
  const parts = sections.flatMap((section) => {
    const jobs = shown.filter((job) => partOf(job) === section);
    return jobs.length === 0 ? [] : [{ section, jobs: section === 'queued' ? queueOf(jobs) : jobs }];
  });
  return parts.flatMap(({ section, jobs }): readonly QueueRow[] => {
    const more = section === 'ended' ? rest : { count: 0, bytes: 0 };
    const count = jobs.length + more.count;
    const rows = jobs.map((job, index): JobRowFacts => {
      const turn = turns.get(job.id) ?? null;
      return { kind: 'job', id: job.id, job, place: index + 1, count, turn };
    });
    const bytes = jobs.reduce((sum, job) => sum + (job.bytesTotal ?? job.expected?.bytes ?? 0), more.bytes);
    const head = { kind: 'section', id: `part-${section}`, section, count, bytes } as const;
    return parts.length > 1 ? [head, ...rows] : rows;
  });
}

/** Where jobs of the queue are put: before another one, or behind all others (null). */
export interface Move {
  readonly ids: readonly string[];
  readonly before: string | null;
}

/**
 * The place, from 1, at which the first of them comes to stand. The queue may be the one before or after: it
 * is told of later than whoever moved them hears that it is done.
 */
export function placeOf({ ids, before }: Move, queue: readonly JobView[]): number {
  const staying = queue.filter(({ id }) => !ids.includes(id));
  return before === null
    ? staying.length + 1
    : Math.max(
        0,
        staying.findIndex(({ id }) => id === before),
      ) + 1;
}

/** One step up or down, or to the front; null where nothing would change. */
export function stepOf(
  queue: readonly JobView[],
  wanted: ReadonlySet<string>,
  way: 'up' | 'down' | 'next',
): Move | null {
  const ids = queue.flatMap(({ id }) => (wanted.has(id) ? [id] : []));
  const staying = queue.filter(({ id }) => !wanted.has(id));
  if (ids.length === 0 || staying.length === 0) return null;
  const first = queue.findIndex(({ id }) => wanted.has(id));
  const last = queue.findLastIndex(({ id }) => wanted.has(id));
  const isTogether = last - first + 1 === ids.length;
  switch (way) {
    case 'next':
      return first === 0 && isTogether ? null : { ids, before: staying[0]?.id ?? null };
    case 'up':
      return first === 0 && isTogether ? null : { ids, before: queue[Math.max(0, first - 1)]?.id ?? null };
    case 'down':
      if (last === queue.length - 1 && isTogether) return null;
      return { ids, before: queue.slice(last + 1).filter(({ id }) => !wanted.has(id))[1]?.id ?? null };
  }
}
