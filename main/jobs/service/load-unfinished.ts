import type { Log } from '../../log.ts';
import type { JobEnd, Journal, PlacedJob } from '../journal/journal-model.ts';
import { awaitsConfirmation, isRunning, type JobState } from '../state.ts';
import { endOf, type LiveJob } from '../steps/live-job.ts';

/** After a kill, a job's end may be missing in its row; its events show it. */
export function loadUnfinished(
  journal: Journal,
  live: (placedJob: PlacedJob) => LiveJob,
  log: Log,
): readonly LiveJob[] {
  const unfinishedJobs = journal.unfinished().map(live);
  const jobEnds = new Map<string, JobEnd>();
  for (const { id, state } of unfinishedJobs) {
    const end = endOf(state);
    if (end) jobEnds.set(id, end);
  }
  try {
    if (jobEnds.size > 0) journal.setEnds(jobEnds);
    return unfinishedJobs.filter(({ id }) => !jobEnds.has(id));
  } catch (error) {
    log.warn({ error }, 'ended jobs stay in memory');
    return unfinishedJobs;
  }
}

/** Whether the job had begun and continues without confirmation. */
export function isTakenUp(state: JobState): boolean {
  return isRunning(state) && state.kind !== 'queued' && !awaitsConfirmation(state);
}
