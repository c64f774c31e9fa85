import { isDeepStrictEqual } from 'node:util';
import type { Forecast } from '../../shared/job.ts';
import { hasEnded } from '../../shared/job-status.ts';
import { TileliftError } from '../errors.ts';
import type { ChosenChanges } from '../inspect/changes/chosen-changes.ts';
import type { JobService, JobSnapshot, NewJob } from './model.ts';

type MatchedJob =
  | { readonly kind: 'continue'; readonly id: string; readonly action: 'resume' | 'try-again' | null }
  /** Each retry may leave another asset behind. */
  | { readonly kind: 'failed'; readonly job: JobSnapshot }
  | { readonly kind: 'made'; readonly job: JobSnapshot }
  | { readonly kind: 'none' };

/** A requested job: new, continued, failed before, or an asset already. */
export interface AddedJob {
  readonly kind: 'new' | 'continued' | 'failed' | 'made';
  readonly job: JobSnapshot;
  /** Null until an upload of the account has shown its speed. */
  readonly forecast: Forecast | null;
}

/**
 * Returns an earlier call's job or a new one, since a killed script may run again. `isRepeatAllowed`: create
 * another asset even if the source is one or may have become one.
 * @throws TileliftError what is wrong with the request
 */
export async function addOnce(
  jobs: JobService,
  request: NewJob,
  isRepeatAllowed: boolean,
): Promise<AddedJob> {
  const match = findSameJob(jobs, request);
  if ((match.kind === 'made' || match.kind === 'failed') && !isRepeatAllowed)
    return { ...match, forecast: null };
  if (match.kind === 'continue') {
    const { id, action } = match;
    if (action) await jobs.act(id, action);
    if (request.acceptForecast) await jobs.act(id, 'confirm');
    return { kind: 'continued', job: requiredJob(jobs, id), forecast: null };
  }
  const { files, bytes } = request.expected ?? { files: 0, bytes: 0 };
  const forecast = jobs.forecast(request.accountId, bytes, files);
  return { kind: 'new', job: requiredJob(jobs, jobs.add(request)), forecast };
}

function requiredJob(jobs: JobService, id: string): JobSnapshot {
  const job = jobs.get(id);
  if (!job) throw new TileliftError('job-unknown', { subject: id });
  return job;
}

/**
 * Finds the newest job with the same account, paths, request and file changes; detected kinds don't matter.
 */
function findSameJob(
  jobs: Pick<JobService, 'ofSource' | 'requestOf'>,
  request: Omit<NewJob, 'acceptForecast' | 'expected'>,
): MatchedJob {
  for (const job of jobs.ofSource(request.accountId, request.paths)) {
    if (job.byRule || !isSame(jobs.requestOf(job.id), request)) continue;
    if (job.status === 'complete') return { kind: 'made', job };
    if (!hasEnded(job.status))
      return { kind: 'continue', id: job.id, action: job.status === 'paused' ? 'resume' : null };
    if (mayHaveCreatedAsset(job)) return { kind: 'failed', job };
    if (job.actions.includes('try-again')) return { kind: 'continue', id: job.id, action: 'try-again' };
    return { kind: 'none' };
  }
  return { kind: 'none' };
}

function mayHaveCreatedAsset({ error }: JobSnapshot): boolean {
  return error?.code === 'creation-unusable' || error?.code === 'creation-unanswered';
}

type ComparableRequest = Pick<NewJob, 'accountId' | 'paths' | 'body' | 'isKindDetected' | 'changes'>;

function isSame(a: ComparableRequest, b: ComparableRequest): boolean {
  const noKind = a.isKindDetected && b.isKindDetected ? { type: undefined, sourceType: undefined } : {};
  const comparableFields = ({
    accountId,
    paths,
    body: { options, ...body },
    changes,
  }: ComparableRequest) => ({
    ...{ accountId, paths: [...paths], body: { ...body, ...noKind }, options: { ...options, ...noKind } },
    ...normalizeChanges(changes),
  });
  return isDeepStrictEqual(comparableFields(a), comparableFields(b));
}

function normalizeChanges({
  only: onlyKeys = [],
  leftOut = [],
  assigned: assignedSystems = [],
  worded: systemsByText = [],
  takenAlong = [],
}: Partial<ChosenChanges> = {}) {
  // The last system of a file wins, and codes win over WKT (`applyChanges`).
  const systems = new Map([
    ...systemsByText.flatMap(({ wkt, files }) => files.map((path) => [path, wkt] as const)),
    ...assignedSystems.flatMap(({ epsg, files }) => files.map((path) => [path, `EPSG:${epsg}`] as const)),
  ]);
  return {
    only: [...onlyKeys].sort(),
    leftOut: [...leftOut].sort(),
    systems: [...systems].map((system) => system.join('\0')).sort(),
    takenAlong: takenAlong.flatMap(({ folder, paths }) => paths.map((path) => `${folder}\0${path}`)).sort(),
  };
}
