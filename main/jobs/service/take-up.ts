import type { Log } from '../../log.ts';
import type { JobEnd, Journal, PlacedJob } from '../journal/journal-model.ts';
import { awaitsConfirmation, isRunning, type JobState } from '../state.ts';
import { endOf, type LiveJob } from '../steps/live-job.ts';

/**
 * The jobs that continue. A kill may come between a job's last event and the note that it ended: reading its
 * events shows that, and the note follows.
 */
export function takeUpAll(
  journal: Journal,
  live: (placed: PlacedJob) => LiveJob,
  log: Log,
): readonly LiveJob[] {
  const all = journal.unfinished().map(live);
  const ends = new Map<string, JobEnd>();
  for (const { id, state } of all) {
    const end = endOf(state);
    if (end) ends.set(id, end);
  }
  try {
    if (ends.size > 0) journal.setEnds(ends);
    return all.filter(({ id }) => !ends.has(id));
  } catch (error) {
    log.warn({ error }, 'ended jobs stay in memory');
    return all;
  }
}

/** It had begun, and continues without confirmation. */
export function isTakenUp(state: JobState): boolean {
  return isRunning(state) && state.kind !== 'queued' && !awaitsConfirmation(state);
}
