import type { JobView } from '../../../preload/contract.ts';
import { hasEnded, hasFailed } from '../../../shared/job-status.ts';
import { say } from '../../say.ts';

/** The ids of the uploads that were under way or waited since the list was last at rest. */
export type Batch = ReadonlySet<string>;

/** So many are worth a word together. */
const minTogether = 2;

/**
 * What belongs to a batch once the list is as it is now, and what it came to: its complete and its failed
 * uploads when the last of them ended and there are several, else none. Paused ones are not waited for, and
 * what a person cancelled is not told to them. Pure.
 */
export function batchAfter(
  batch: Batch,
  jobs: readonly JobView[],
): { readonly batch: Batch; readonly ended: readonly JobView[] } {
  const active = jobs.filter(({ status }) => !hasEnded(status) && status !== 'paused');
  if (active.length > 0) return { batch: new Set([...batch, ...active.map(({ id }) => id)]), ended: [] };
  const ended = jobs.filter(
    ({ id, status }) => batch.has(id) && (status === 'complete' || hasFailed(status)),
  );
  return { batch: new Set(), ended: ended.length < minTogether ? [] : ended };
}

/** "10 complete, 2 failed". */
export function batchWords(ended: readonly JobView[]): string {
  const complete = ended.filter(({ status }) => status === 'complete').length;
  const counts = { complete, failed: ended.length - complete };
  if (counts.failed === 0) return say('queue.batchComplete', counts);
  return complete === 0 ? say('queue.batchFailed', counts) : say('queue.batchMixed', counts);
}
