import { z } from 'zod';
import { type JobStatus, jobStatuses, waitsForPerson } from '../../shared/job-status.ts';
import type { RuleSnapshot } from '../../shared/watch.ts';
import type { SignedInAccount } from '../account/model/model.ts';
import { type ErrorRecord, isJournalTrouble } from '../errors.ts';
import type { JobSnapshot } from '../jobs/model.ts';
import { errorRecord, saidRecord } from '../jobs/stored-errors.ts';
import { isRefusal } from '../watch/state/source-state.ts';

/** For users, scripts and monitors. Times are ms since the epoch. */

const count = z.int().nonnegative();
const text = z.string().max(10_000);

export const watchedFolderSchema = z.object({
  id: z.string().max(200),
  name: text,
  folder: text,
  accountId: z.string().max(100),
  on: z.boolean(),
  state: z.enum(['watching', 'looking', 'paused', 'suspended', 'standing-by']),
  /** Why it is suspended, or a warning. */
  notice: errorRecord.nullable(),
  counts: z.object({
    settling: count,
    waiting: count,
    underWay: count,
    complete: count,
    failed: count,
    held: count,
    leftAlone: count,
    skipped: count,
  }),
  lastTakenAt: z.number().nullable(),
  /** When the longest-waiting source arrived. */
  waitingSince: z.number().nullable(),
  lastLookAt: z.number().nullable(),
  stuck: z
    .array(z.object({ path: text, why: saidRecord }))
    .max(10)
    .readonly(),
});
export type WatchedFolder = z.infer<typeof watchedFolderSchema>;

/** Worst first. */
const concernKinds = [
  'signed-out',
  'outage',
  'folder-away',
  'journal',
  'alerts-failing',
  'sign-in-ends',
  'held',
  'failed',
  'confirmation',
  'waiting-long',
  'notice',
] as const;
type ConcernKind = (typeof concernKinds)[number];

const failingConcerns: ReadonlySet<ConcernKind> = new Set(['signed-out', 'outage', 'folder-away']);

const concernSchema = z.object({ kind: z.enum(concernKinds), count });
type Concern = z.infer<typeof concernSchema>;

const healths = ['healthy', 'attention', 'failing'] as const;
type HealthName = (typeof healths)[number];

const jobCounts = z.object(
  Object.fromEntries(jobStatuses.map((status) => [status, count])) as Record<JobStatus, typeof count>,
);

export const statusSchema = z.object({
  health: z.enum(healths),
  concerns: z.array(concernSchema).max(concernKinds.length),
  startedAt: z.number(),
  now: z.number(),
  accounts: z
    .array(z.object({ id: z.string(), baseUrl: text, endsSoonAt: z.number().nullable() }))
    .max(1_000),
  /** Null for none. */
  lostService: text.nullable(),
  jobs: jobCounts,
  folders: z.array(watchedFolderSchema).max(10_000),
  /** Null if unknown. */
  lastSuccessAt: z.number().nullable(),
  /** Null for none. */
  outageSince: z.number().nullable(),
  /** Unsent alerts, and the errors of failing channels. */
  alertsWaiting: count,
  alertFailures: z.array(errorRecord).max(3),
});
export type Status = z.infer<typeof statusSchema>;

export interface StatusFacts {
  readonly nowMs: number;
  readonly startedAt: number;
  readonly accounts: readonly SignedInAccount[];
  readonly lostService: string | null;
  /** Unfinished jobs. */
  readonly jobs: readonly JobSnapshot[];
  readonly endedCounts: ReadonlyMap<JobStatus, { readonly count: number }>;
  readonly rules: readonly RuleSnapshot[];
  readonly lastSuccessAt: number | null;
  readonly outageSince: number | null;
  readonly alertsWaiting: number;
  readonly alertFailures: readonly ErrorRecord[];
}

/** Pure. */
export function statusOf(facts: StatusFacts): Status {
  const concerns = concernsOf(facts);
  const { nowMs, startedAt, lostService, lastSuccessAt, outageSince, alertsWaiting } = facts;
  const jobs = Object.fromEntries(jobStatuses.map((status) => [status, 0])) as Record<JobStatus, number>;
  // Like the window (`partOf`): an inspected job that waits for its turn counts as queued.
  for (const { status, isQueued } of facts.jobs)
    jobs[isQueued && status !== 'paused' ? 'queued' : status] += 1;
  for (const [status, { count }] of facts.endedCounts) jobs[status] += count;
  return {
    health: healthOf(concerns),
    concerns: [...concerns],
    ...{ now: nowMs, startedAt, lostService, lastSuccessAt, outageSince, alertsWaiting },
    accounts: facts.accounts.map(({ id, address, endsSoonAt }) => ({
      ...{ id, baseUrl: address.baseUrl, endsSoonAt },
    })),
    jobs,
    folders: facts.rules.map(watchedFolderOf),
    alertFailures: [...facts.alertFailures],
  };
}

function healthOf(concerns: readonly Concern[]): HealthName {
  if (concerns.length === 0) return 'healthy';
  return concerns.some(({ kind }) => failingConcerns.has(kind)) ? 'failing' : 'attention';
}

/** In hours. */
const usualWaitHours = 6;

function waitsTooLong({ rule, waitingSince }: RuleSnapshot, nowMs: number): boolean {
  const hours = rule.alerts.waitingHours ?? usualWaitHours;
  return waitingSince !== null && nowMs - waitingSince > hours * 3_600_000;
}

/** No other concern covers it. */
const isFurtherNotice = ({ state, notice }: RuleSnapshot): boolean =>
  (state === 'watching' || state === 'looking') &&
  notice !== null &&
  notice.code !== 'watch-account-missing' &&
  !isJournalTrouble(notice) &&
  !isRefusal(notice);

function concernsOf(facts: StatusFacts): readonly Concern[] {
  const { rules, jobs, accounts } = facts;
  const signedInIds = new Set(accounts.map(({ id }) => id));
  const watchingRules = rules.filter(({ rule }) => rule.on);
  const sum = (counter: 'held' | 'failed') =>
    watchingRules.reduce((total, { counts }) => total + counts[counter], 0);
  // Each account counts once, whatever waits for it.
  const signedOutIds = new Set([
    ...watchingRules.map(({ rule }) => rule.accountId).filter((id) => !signedInIds.has(id)),
    ...jobs.filter(({ waitingFor }) => waitingFor === 'sign-in').map(({ accountId }) => accountId),
  ]);
  const counts: Readonly<Record<ConcernKind, number>> = {
    'signed-out': signedOutIds.size || (accounts.length === 0 ? 1 : 0),
    outage:
      (facts.outageSince === null ? 0 : 1) + watchingRules.filter(({ notice }) => isRefusal(notice)).length,
    'folder-away': watchingRules.filter(
      ({ state, notice }) => state === 'suspended' || (state === 'paused' && notice !== null),
    ).length,
    journal: [...jobs.map(({ error }) => error), ...watchingRules.map(({ notice }) => notice)].filter(
      (error) => error !== null && isJournalTrouble(error),
    ).length,
    'alerts-failing': facts.alertFailures.length,
    'sign-in-ends': accounts.filter(({ endsSoonAt }) => endsSoonAt !== null).length,
    held: sum('held'),
    failed: sum('failed'),
    confirmation: jobs.filter((job) => waitsForPerson(job) && job.waitingFor === 'confirmation').length,
    'waiting-long': watchingRules.filter((rule) => waitsTooLong(rule, facts.nowMs)).length,
    notice: watchingRules.filter(isFurtherNotice).length,
  };
  return concernKinds.flatMap((kind) => (counts[kind] > 0 ? [{ kind, count: counts[kind] }] : []));
}

export function watchedFolderOf(snapshot: RuleSnapshot): WatchedFolder {
  const {
    rule,
    state,
    notice,
    counts,
    lastTakenAt,
    waitingSince,
    lastLookAt,
    stuck: stuckSources = [],
  } = snapshot;
  const { id, name, folder, accountId, on: isOn } = rule;
  return {
    ...{ id, name, folder, accountId, on: isOn, state, notice, counts: { ...counts } },
    ...{ lastTakenAt, waitingSince, lastLookAt, stuck: stuckSources },
  };
}
