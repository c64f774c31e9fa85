import { isDeepStrictEqual } from 'node:util';
import { hasEnded } from '../../../shared/job-status.ts';
import type { JobService, JobSnapshot, NewJob } from '../../jobs/model.ts';

/** What to do about a source, by the jobs that there are already. */
export type Found =
  /** Another call began it: it goes on, by this action where it does not by itself. */
  | { readonly kind: 'continue'; readonly id: string; readonly action: 'resume' | 'try-again' | null }
  /** It is an asset already. */
  | { readonly kind: 'made'; readonly job: JobSnapshot }
  | { readonly kind: 'none' };

/**
 * The newest job that was asked for in the same words: same account, paths, files and request. A script that
 * was killed is run again as it is, and must not double anything. Pure but for what it asks.
 */
export function findSameJob(
  jobs: Pick<JobService, 'list' | 'wanted'>,
  wanted: Omit<NewJob, 'acceptForecast' | 'expected'>,
): Found {
  for (const job of jobs.list()) {
    if (job.byRule || !isSame(jobs.wanted(job.id), wanted)) continue;
    if (job.status === 'complete') return { kind: 'made', job };
    if (!hasEnded(job.status))
      return { kind: 'continue', id: job.id, action: job.status === 'paused' ? 'resume' : null };
    if (job.actions.includes('try-again')) return { kind: 'continue', id: job.id, action: 'try-again' };
    return { kind: 'none' };
  }
  return { kind: 'none' };
}

function isSame(a: NewJob, b: Pick<NewJob, 'accountId' | 'paths' | 'body' | 'changes'>): boolean {
  const of = ({
    accountId,
    paths,
    body,
    changes,
  }: Pick<NewJob, 'accountId' | 'paths' | 'body' | 'changes'>) => ({
    ...{ accountId, paths: [...paths], body: { ...body, options: { ...body.options } } },
    only: [...(changes?.only ?? [])].sort(),
  });
  return isDeepStrictEqual(of(a), of(b));
}
