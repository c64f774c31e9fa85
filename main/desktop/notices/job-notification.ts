import { errorMessage } from '../../../strings/said-error.ts';
import { say } from '../../../strings/say.ts';

import type { JobSnapshot } from '../../jobs/model.ts';

/** What a person is told of a job's end, and what they may do with it then. */
export interface JobNotification {
  readonly title: string;
  readonly body: string;
  /** The asset to copy the id of or to open; null where there is nothing to be had. */
  readonly assetId: number | null;
}

/**
 * Of a job that a person began. Null for what nobody waits for: a person cancelled it, or it is a watched folder's, which are told of together. Pure.
 */
export function jobNotification(job: JobSnapshot): JobNotification | null {
  if (job.byRule) return null;
  const why = job.error ? errorMessage(job.error) : '';
  const { name } = job;
  switch (job.status) {
    case 'complete':
      return { title: say('notify.complete', { name }), body: assetWords(job), assetId: job.assetId };
    case 'data-error':
      return { title: say('notify.dataError', { name }), body: why, assetId: null };
    case 'error':
      return { title: say('notify.tilingFailed', { name }), body: why, assetId: null };
    case 'failed':
      return { title: say('notify.failed', { name }), body: why, assetId: null };
    case 'expired':
      return { title: say('notify.expired', { name }), body: why, assetId: null };
    default:
      return null;
  }
}

function assetWords({ assetId }: JobSnapshot): string {
  return assetId === null ? say('notify.ready') : say('notify.readyAs', { id: String(assetId) });
}
