import type { JobView } from '../../../preload/contract.ts';
import { hasEnded, hasFailed } from '../../../shared/job-status.ts';
import { say } from '../../say.ts';

/** Ids of uploads that ran or waited since the list was last idle. */
export type Batch = ReadonlySet<string>;

/** Fewer uploads get no summary. */
const minTogether = 2;

/**
 * Updates the batch from the list, and returns its complete and failed uploads once the last of several
 * ended. Paused uploads don't delay it, and cancelled ones aren't included. Pure.
 */
export function batchAfter(
  batch: Batch,
  jobs: readonly JobView[],
): { readonly batch: Batch; readonly ended: readonly JobView[] } {
  const active = jobs.filter(({ status }) => !hasEnded(status) && status !== 'paused');
  if (active.length > 0) return { batch: new Set([...batch, ...active.map(({ id }) => id)]), ended: [] };
  const endedJobs = jobs.filter(
    ({ id, status }) => batch.has(id) && (status === 'complete' || hasFailed(status)),
  );
  return { batch: new Set(), ended: endedJobs.length < minTogether ? [] : endedJobs };
}

/** "10 complete, 2 failed". */
export function batchWords(jobs: readonly JobView[]): string {
  const complete = jobs.filter(({ status }) => status === 'complete').length;
  const counts = { complete, failed: jobs.length - complete };
  if (counts.failed === 0) return say('queue.batchComplete', counts);
  return complete === 0 ? say('queue.batchFailed', counts) : say('queue.batchMixed', counts);
}
