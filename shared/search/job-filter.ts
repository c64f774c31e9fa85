import type { JobFacts } from '../job.ts';
import { hasEnded, hasFailed, waitsForPerson } from '../job-status.ts';
import { partOf } from '../queue.ts';

/** The parts of the list, plus `asks`: all jobs that need the user. */
export const jobGroups = ['all', 'under-way', 'queued', 'asks', 'ended'] as const;
type JobGroup = (typeof jobGroups)[number];

export interface JobFilter {
  readonly group: JobGroup;
  /** Matches name, asset id or paths; ignores case and surrounding space. */
  readonly text: string;
  /** Ids that a notification led to; null for all. */
  readonly only: readonly string[] | null;
}

export type SearchedJob = Pick<
  JobFacts,
  'id' | 'status' | 'waitingFor' | 'isQueued' | 'name' | 'assetId' | 'paths'
>;

export const everyJob: JobFilter = { group: 'all', text: '', only: null };

export function isFiltered({ group, text, only }: JobFilter): boolean {
  return group !== 'all' || text.trim() !== '' || only !== null;
}

/** Whether the filter may include ended jobs. */
export function reachesEnded({ group }: JobFilter): boolean {
  return group !== 'under-way' && group !== 'queued';
}

/** Keeps the order of the list. */
export function findJobs<Job extends SearchedJob>(jobs: readonly Job[], filter: JobFilter): readonly Job[] {
  if (!isFiltered(filter)) return jobs;
  const text = filter.text.trim().toLowerCase();
  const onlyStatuses = filter.only && new Set(filter.only);
  return jobs.filter(
    (job) => (onlyStatuses?.has(job.id) ?? true) && isIn(job, filter.group) && holds(job, text),
  );
}

/** Whether the job has failed or waits for the user. */
export function asksForPerson(job: Pick<JobFacts, 'status' | 'waitingFor'>): boolean {
  return hasEnded(job.status) ? hasFailed(job.status) : waitsForPerson(job);
}

function isIn(job: SearchedJob, group: JobGroup): boolean {
  switch (group) {
    case 'all':
      return true;
    case 'asks':
      return asksForPerson(job);
    default:
      return partOf(job) === group;
  }
}

function holds(job: SearchedJob, text: string): boolean {
  const places = [job.name, String(job.assetId ?? ''), ...job.paths];
  return places.some((place) => place.toLowerCase().includes(text));
}
