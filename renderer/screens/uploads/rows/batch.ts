import type { JobView } from '../../../../preload/contract.ts';
import { hasEnded } from '../../../../shared/job-status.ts';

/** The ids of the uploads that were under way or waited since the list was last at rest. */
export type Batch = ReadonlySet<string>;

/** So many that are complete are worth a word together. */
const minTogether = 2;

/**
 * What belongs to a batch once the list is as it is now, and what it came to: its complete uploads when the
 * last of them ended and there are several, else none. Paused ones are not waited for. Pure.
 */
export function batchAfter(
  batch: Batch,
  jobs: readonly JobView[],
): { readonly batch: Batch; readonly complete: readonly JobView[] } {
  const active = jobs.filter(({ status }) => !hasEnded(status) && status !== 'paused');
  if (active.length > 0) return { batch: new Set([...batch, ...active.map(({ id }) => id)]), complete: [] };
  const complete = jobs.filter(({ id, status }) => status === 'complete' && batch.has(id));
  return { batch: new Set(), complete: complete.length < minTogether ? [] : complete };
}
