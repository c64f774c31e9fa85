import { hasEnded, isToUpload, waitsForAnother, waitsForPerson } from '../../../shared/job-status.ts';
import { gatherChanges } from '../../gather-changes.ts';
import type { JobService, JobSnapshot } from '../../jobs/model.ts';
import { createListeners } from '../../listeners.ts';
import type { RuleSnapshot, WatchService } from '../../watch/model/model.ts';

/** The current work, for tray, power and closing the window. */
export interface Work {
  /** Includes paused ones. */
  readonly jobs: readonly JobSnapshot[];
  /** In order of creation. */
  readonly rules: readonly RuleSnapshot[];
}

export interface WorkWatch {
  current(): Work;
  /** At most twice a second. */
  onChange(listener: (work: Work) => void): void;
  stop(): void;
}

const eventIntervalMs = 500;

/** Reads only changed jobs: thousands of ended ones cost nothing. */
export function watchWork(
  jobs: Pick<JobService, 'unfinishedJobs' | 'get' | 'onChange'>,
  watch: Pick<WatchService, 'rules' | 'onChange'>,
): WorkWatch {
  const unfinishedJobs = new Map<string, JobSnapshot>();
  const changedIds = new Set<string>();
  const listeners = createListeners<[Work]>();
  const update = (id: string, job: JobSnapshot | undefined) => {
    if (job && !hasEnded(job.status)) unfinishedJobs.set(id, job);
    else unfinishedJobs.delete(id);
  };
  for (const job of [...jobs.unfinishedJobs()].reverse()) update(job.id, job);
  const currentWork = (): Work => {
    for (const id of changedIds) update(id, jobs.get(id));
    changedIds.clear();
    return { jobs: [...unfinishedJobs.values()], rules: watch.rules() };
  };
  const gatheredChanges = gatherChanges<string>(eventIntervalMs, () => listeners.emit(currentWork()));
  const stops = [
    jobs.onChange((id) => {
      changedIds.add(id);
      gatheredChanges.add(id);
    }),
    watch.onChange(gatheredChanges.add),
  ];
  return {
    current: currentWork,
    onChange: (listener) => {
      listeners.add(listener);
    },
    stop: () => {
      for (const stop of stops) stop();
      gatheredChanges.stop();
    },
  };
}

/** True if the job continues without user action. */
export function continuesUnattended(job: JobSnapshot): boolean {
  return !hasEnded(job.status) && !waitsForPerson(job);
}

/** The job's bytes are being sent, or would be if the network were available. */
export function isUploadInProgress(job: JobSnapshot): boolean {
  return (
    isToUpload(job.status) && job.status !== 'queued' && !waitsForAnother(job) && continuesUnattended(job)
  );
}
