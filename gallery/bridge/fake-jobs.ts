import type { Calls, EndedPlace, Events, JobAction, JobsPage, JobView } from '../../preload/contract.ts';
import { hasEnded, hasFailed } from '../../shared/job-status.ts';
import { movedPlaces } from '../../shared/queue.ts';
import { findJobs } from '../../shared/search/job-filter.ts';
import type { Scenario } from '../scenario.ts';
import { refuseWith } from './refusal.ts';

type JobCall =
  | 'jobs.act'
  | 'jobs.actOn'
  | 'jobs.move'
  | 'jobs.rename'
  | 'jobs.bringBack'
  | 'jobs.copyList'
  | 'jobs.showInFolder';
type JobHandlers = { [Name in JobCall]: (input: Calls[Name]['input']) => Promise<Calls[Name]['output']> };

/**
 * Plays actions on jobs.
 *
 * @param jobs by id; actions change them
 */
export function playJobs(
  jobs: Map<string, JobView>,
  { actError }: Scenario,
  tell: (event: Events['jobs.changed']) => void,
): JobHandlers {
  let removedJobs: readonly JobView[] = [];

  function actOn(ids: readonly string[], action: JobAction): readonly string[] {
    refuseWith(actError);
    const able = ids.flatMap((id) => jobs.get(id) ?? []).filter(({ actions }) => actions.includes(action));
    const changedIds = able.map(({ id }) => id);
    if (action === 'remove') {
      removedJobs = able;
      for (const id of changedIds) jobs.delete(id);
      tell({ changed: [], removed: changedIds });
    } else {
      change(able.map((job) => jobAfter(job, action)));
    }
    return changedIds;
  }

  function change(changedJobs: readonly JobView[]): void {
    for (const job of changedJobs) jobs.set(job.id, job);
    tell({ changed: changedJobs, removed: [] });
  }

  return {
    'jobs.act': async ({ id, action }) => {
      actOn([id], action);
    },
    'jobs.actOn': async ({ ids, action }) => actOn(ids, action),
    'jobs.move': async ({ ids, successorId: successor }) => {
      refuseWith(actError);
      const queue = [...jobs.values()].filter(({ isQueued }) => isQueued);
      const places = movedPlaces(queue, new Set(ids), successor);
      change(queue.flatMap((job) => ({ ...job, place: places.get(job.id) ?? job.place })));
    },
    'jobs.rename': async ({ id, name }) => {
      const job = jobs.get(id);
      if (job) change([{ ...job, name }]);
    },
    'jobs.bringBack': async (ids) => {
      const back = removedJobs.filter(({ id }) => ids === null || ids.includes(id));
      removedJobs = removedJobs.filter((job) => !back.includes(job));
      change(back);
      return back.map(({ id }) => id);
    },
    'jobs.copyList': async () => refuseWith(actError),
    'jobs.showInFolder': async () => refuseWith(actError),
  };
}

function jobAfter(job: JobView, action: JobAction): JobView {
  if (action === 'pause') {
    return {
      ...job,
      status: 'paused',
      waitingFor: null,
      bytesPerSecond: null,
      partsOnWire: 0,
      actions: ['resume', 'cancel'],
    };
  }
  if (action === 'cancel') {
    return {
      ...job,
      status: 'cancelled',
      isQueued: false,
      waitingFor: null,
      endedAt: Date.now(),
      bytesPerSecond: null,
      actions: ['start-again', 'remove'],
    };
  }
  if (job.isQueued) return { ...job, status: 'queued', waitingFor: 'turn', actions: ['pause', 'cancel'] };
  return {
    ...job,
    status: 'uploading',
    waitingFor: null,
    error: null,
    endedAt: null,
    bytesPerSecond: 41.8e6,
    actions: ['pause', 'cancel'],
  };
}

/** Ended jobs per page: few, so that a thousand make several pages. */
const perPage = 100;

export function pageOf(jobs: ReadonlyMap<string, JobView>, place: EndedPlace | null): JobsPage {
  const unfinishedJobs = newestFirst(jobs).filter(({ status }) => !hasEnded(status));
  const page = pageFrom(endedOf(jobs), place?.row ?? 0);
  return place ? page : { ...page, jobs: [...unfinishedJobs, ...page.jobs] };
}

export function foundIn(
  jobs: ReadonlyMap<string, JobView>,
  { filter, startPlace: place }: Calls['jobs.find']['input'],
): JobsPage {
  const endedJobs = endedOf(jobs);
  const { jobs: page, rest: remainder } = pageFrom(findJobs(endedJobs.slice(place?.row ?? 0), filter), 0);
  const lastJob = page.at(-1);
  const nextPage =
    lastJob && remainder.count > 0 ? { createdAt: 0, row: endedJobs.indexOf(lastJob) + 1 } : null;
  return { jobs: page, next: nextPage, rest: remainder };
}

const newestFirst = (jobs: ReadonlyMap<string, JobView>) =>
  [...jobs.values()].toSorted((a, b) => b.createdAt - a.createdAt);
const endedOf = (jobs: ReadonlyMap<string, JobView>) =>
  newestFirst(jobs).filter(({ status }) => hasEnded(status));

function pageFrom(endedJobs: readonly JobView[], start: number): JobsPage {
  const remainder = endedJobs.slice(start + perPage);
  const bytes = remainder.reduce((sum, { bytesTotal }) => sum + (bytesTotal ?? 0), 0);
  return {
    jobs: endedJobs.slice(start, start + perPage),
    next: remainder.length > 0 ? { createdAt: 0, row: start + perPage } : null,
    rest: {
      count: remainder.length,
      bytes,
      failed: remainder.filter(({ status }) => hasFailed(status)).length,
    },
  };
}
