import { TileliftError } from '../errors.ts';
import type { JobSnapshot } from '../jobs/model.ts';
import { UsageError } from './usage-error.ts';

/** @throws UsageError if several match, TileliftError `job-unknown` */
export function findJob(jobs: readonly JobSnapshot[], idPrefix: string): JobSnapshot {
  const matches = jobs.filter(({ id }) => id.startsWith(idPrefix));
  if (matches.length > 1) throw new UsageError({ key: 'cli.jobs.several', values: { id: idPrefix } });
  if (!matches[0]) throw new TileliftError('job-unknown', { subject: idPrefix });
  return matches[0];
}
