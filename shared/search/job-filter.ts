/** Finding uploads in a long list: by what they are at, and by their names. */

import type { JobFacts } from '../job.ts';
import { hasEnded, hasFailed, waitsForPerson } from '../job-status.ts';
import { partOf } from '../queue.ts';

/** The parts of the list, and across them `asks`: it continues, or is done with, only by a person's word. */
export const jobGroups = ['all', 'under-way', 'queued', 'asks', 'ended'] as const;
type JobGroup = (typeof jobGroups)[number];

export interface JobFilter {
  readonly group: JobGroup;
  /** Found in the name, the asset's id or a path; case and surrounding space do not matter. */
  readonly text: string;
  /** Ids of those to which a notice has led; null for all. */
  readonly only: readonly string[] | null;
}

/** What a filter looks at of a job. */
export type SearchedJob = Pick<
  JobFacts,
  'id' | 'status' | 'waitingFor' | 'isQueued' | 'name' | 'assetId' | 'paths'
>;

export const everyJob: JobFilter = { group: 'all', text: '', only: null };

export function isFiltered({ group, text, only }: JobFilter): boolean {
  return group !== 'all' || text.trim() !== '' || only !== null;
}

/** Whether it may find jobs that have ended. */
export function reachesEnded({ group }: JobFilter): boolean {
  return group !== 'under-way' && group !== 'queued';
}

/** Those that the filter names, in the order of the list. */
export function findJobs<Job extends SearchedJob>(jobs: readonly Job[], filter: JobFilter): readonly Job[] {
  if (!isFiltered(filter)) return jobs;
  const text = filter.text.trim().toLowerCase();
  const only = filter.only && new Set(filter.only);
  return jobs.filter((job) => (only?.has(job.id) ?? true) && isIn(job, filter.group) && holds(job, text));
}

/** Whether a job continues only by someone's word, or ended otherwise than it should have. */
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
