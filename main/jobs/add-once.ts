import { isDeepStrictEqual } from 'node:util';
import type { Forecast } from '../../shared/job.ts';
import { hasEnded } from '../../shared/job-status.ts';
import { TileliftError } from '../errors.ts';
import type { ChosenChanges } from '../inspect/changes/chosen-changes.ts';
import type { JobService, JobSnapshot, NewJob } from './model.ts';

/** What to do about a source, by the jobs that there are already. */
type Found =
  /** Another call began it: it goes on, by this action where it does not by itself. */
  | { readonly kind: 'continue'; readonly id: string; readonly action: 'resume' | 'try-again' | null }
  /** It failed, and each further try may leave another asset behind. */
  | { readonly kind: 'failed'; readonly job: JobSnapshot }
  /** It is an asset already. */
  | { readonly kind: 'made'; readonly job: JobSnapshot }
  | { readonly kind: 'none' };

/** A requested job: new, begun by an earlier call, failed for good in one, or an asset already. */
export interface AddedJob {
  readonly kind: 'new' | 'continued' | 'failed' | 'made';
  readonly job: JobSnapshot;
  /** Of a new one; null while no upload of the account has shown how fast they are. */
  readonly forecast: Forecast | null;
}

/**
 * The job for what is wanted, as a script wants it that may have been killed: the one of an earlier call, or
 * a new one. `again`: another asset although the source is one already, or may have become one.
 * @throws TileliftError what is wrong with the request
 */
export async function addOnce(jobs: JobService, wanted: NewJob, again: boolean): Promise<AddedJob> {
  const found = findSameJob(jobs, wanted);
  if ((found.kind === 'made' || found.kind === 'failed') && !again) return { ...found, forecast: null };
  if (found.kind === 'continue') {
    const { id, action } = found;
    if (action) await jobs.act(id, action);
    if (wanted.acceptForecast) await jobs.act(id, 'confirm');
    return { kind: 'continued', job: there(jobs, id), forecast: null };
  }
  const { files, bytes } = wanted.expected ?? { files: 0, bytes: 0 };
  const forecast = jobs.forecast(wanted.accountId, bytes, files);
  return { kind: 'new', job: there(jobs, jobs.add(wanted)), forecast };
}

function there(jobs: JobService, id: string): JobSnapshot {
  const job = jobs.get(id);
  if (!job) throw new TileliftError('job-unknown', { subject: id });
  return job;
}

/**
 * The newest job that was asked for in the same words: same account, paths, request, and the same files, with
 * what exists in the upload alone: with another coordinate system assigned, the same files are another
 * delivery. A kind that neither call named makes no difference. A script that was killed is run again as it
 * is, and must not double anything. Pure but for what it asks.
 */
function findSameJob(
  jobs: Pick<JobService, 'ofSource' | 'wanted'>,
  wanted: Omit<NewJob, 'acceptForecast' | 'expected'>,
): Found {
  for (const job of jobs.ofSource(wanted.accountId, wanted.paths)) {
    if (job.byRule || !isSame(jobs.wanted(job.id), wanted)) continue;
    if (job.status === 'complete') return { kind: 'made', job };
    if (!hasEnded(job.status))
      return { kind: 'continue', id: job.id, action: job.status === 'paused' ? 'resume' : null };
    if (costsAnAsset(job)) return { kind: 'failed', job };
    if (job.actions.includes('try-again')) return { kind: 'continue', id: job.id, action: 'try-again' };
    return { kind: 'none' };
  }
  return { kind: 'none' };
}

/** Whether the service may have created an asset for this job that nothing can be uploaded to. */
function costsAnAsset({ error }: JobSnapshot): boolean {
  return error?.code === 'creation-unusable' || error?.code === 'creation-unanswered';
}

type Wanted = Pick<NewJob, 'accountId' | 'paths' | 'body' | 'isKindDetected' | 'changes'>;

function isSame(a: Wanted, b: Wanted): boolean {
  const noKind = a.isKindDetected && b.isKindDetected ? { type: undefined, sourceType: undefined } : {};
  const of = ({ accountId, paths, body: { options, ...body }, changes }: Wanted) => ({
    ...{ accountId, paths: [...paths], body: { ...body, ...noKind }, options: { ...options, ...noKind } },
    ...ofFiles(changes),
  });
  return isDeepStrictEqual(of(a), of(b));
}

/** What was decided about files, in whatever order that was. */
function ofFiles({
  only = [],
  leftOut = [],
  assigned = [],
  worded = [],
  takenAlong = [],
}: Partial<ChosenChanges> = {}) {
  // Of two systems of one file the last counts, and a code before words (`applyChanges`).
  const systems = new Map([
    ...worded.flatMap(({ wkt, files }) => files.map((path) => [path, wkt] as const)),
    ...assigned.flatMap(({ epsg, files }) => files.map((path) => [path, `EPSG:${epsg}`] as const)),
  ]);
  return {
    only: [...only].sort(),
    leftOut: [...leftOut].sort(),
    systems: [...systems].map((each) => each.join('\0')).sort(),
    takenAlong: takenAlong.flatMap(({ folder, paths }) => paths.map((path) => `${folder}\0${path}`)).sort(),
  };
}
