import type { JobSnapshot } from '../../jobs/model.ts';
import { goesOnByItself } from '../work.ts';

/** What the program's place in taskbar or dock shows. `share`: 0 to 1, of the bytes that are being sent those that storage has. */
export type TaskbarProgress =
  | { readonly kind: 'none' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'sending' | 'failed'; readonly share: number };

const sending: ReadonlySet<JobSnapshot['status']> = new Set(['uploading', 'completing']);
const busy: ReadonlySet<JobSnapshot['status']> = new Set(['creating', 'tiling']);

/** `jobs`: all that have not ended. `failureUnseen`: one has failed and nobody has looked since. Pure. */
export function taskbarProgress(jobs: readonly JobSnapshot[], failureUnseen: boolean): TaskbarProgress {
  const moving = jobs.filter((job) => isMoving(job));
  const sent = moving.filter(({ status }) => sending.has(status));
  if (failureUnseen) return { kind: 'failed', share: sent.length > 0 ? shareDone(sent) : 1 };
  if (sent.length > 0) return { kind: 'sending', share: shareDone(sent) };
  return moving.some(({ status }) => busy.has(status)) ? { kind: 'busy' } : { kind: 'none' };
}

/** Neither another job nor a drive has to come first. */
function isMoving(job: JobSnapshot): boolean {
  return goesOnByItself(job) && job.waitingFor !== 'line' && job.waitingFor !== 'source';
}

function shareDone(jobs: readonly JobSnapshot[]): number {
  const total = jobs.reduce((sum, { bytesTotal }) => sum + (bytesTotal ?? 0), 0);
  const done = jobs.reduce((sum, { bytesDone }) => sum + bytesDone, 0);
  return total > 0 ? Math.min(1, Math.max(0, done / total)) : 0;
}
