import { hasEnded, isToUpload, waitsForAnother, waitsForPerson } from '../../shared/job-status.ts';
import { gatherChanges } from '../gather-changes.ts';
import type { JobService, JobSnapshot } from '../jobs/model.ts';
import { createListeners } from '../listeners.ts';
import type { RuleSnapshot, WatchService } from '../watch/model.ts';

/** What Tilelift is at: what tray, power and a closed window go by. */
export interface Work {
  /** All that have not ended, paused ones too. */
  readonly jobs: readonly JobSnapshot[];
  /** In the order in which they were made. */
  readonly rules: readonly RuleSnapshot[];
}

export interface WorkWatch {
  now(): Work;
  /** Called at most twice a second while something changes. */
  onChange(listener: (work: Work) => void): void;
  stop(): void;
}

/** At most this often (ms) are listeners told. */
const tellIntervalMs = 500;

/** Follows jobs and rules. Looks at jobs that changed only: thousands of ended ones cost nothing. */
export function watchWork(
  jobs: Pick<JobService, 'unfinished' | 'get' | 'onChange'>,
  watch: Pick<WatchService, 'rules' | 'onChange'>,
): WorkWatch {
  const unfinished = new Map<string, JobSnapshot>();
  const changed = new Set<string>();
  const listeners = createListeners<[Work]>();
  const take = (id: string, job: JobSnapshot | undefined) => {
    if (job && !hasEnded(job.status)) unfinished.set(id, job);
    else unfinished.delete(id);
  };
  for (const job of [...jobs.unfinished()].reverse()) take(job.id, job);
  const now = (): Work => {
    for (const id of changed) take(id, jobs.get(id));
    changed.clear();
    return { jobs: [...unfinished.values()], rules: watch.rules() };
  };
  const told = gatherChanges<string>(tellIntervalMs, () => listeners.tell(now()));
  const stops = [
    jobs.onChange((id) => {
      changed.add(id);
      told.add(id);
    }),
    watch.onChange(told.add),
  ];
  return {
    now,
    onChange: (listener) => {
      listeners.add(listener);
    },
    stop: () => {
      for (const stop of stops) stop();
      told.stop();
    },
  };
}

/** Whether a job continues by itself, without a word from a person. */
export function goesOnByItself(job: JobSnapshot): boolean {
  return !hasEnded(job.status) && !waitsForPerson(job);
}

/** Whether a job's bytes are on their way to storage, or would be if the network were there. */
export function isUnderWay(job: JobSnapshot): boolean {
  return isToUpload(job.status) && job.status !== 'queued' && !waitsForAnother(job) && goesOnByItself(job);
}
