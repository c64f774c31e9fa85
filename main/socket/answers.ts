import { stat } from 'node:fs/promises';
import type { JobAction } from '../../shared/job-status.ts';
import { maxSourcesListed } from '../../shared/watch.ts';
import type { AccountService } from '../account/model.ts';
import type { AlertService } from '../alerts/alert-service.ts';
import { TileliftError } from '../errors.ts';
import { defaultReadStallMs, withoutStall } from '../files/stalled-read.ts';
import { addOnce } from '../jobs/add-once.ts';
import { newestJobs } from '../jobs/list/newest-jobs.ts';
import type { JobService, JobSnapshot } from '../jobs/model.ts';
import type { Clock } from '../outside.ts';
import type { Asset, ServiceApi } from '../service/model.ts';
import type { WatchService } from '../watch/model.ts';
import { type AssetFilter, isWanted } from './asset-filter.ts';
import {
  type Answers,
  actionFor,
  type CommandAction,
  maxPathsTold,
  type SourceDecision,
  type Submitted,
} from './protocol.ts';
import { type Status, statusOf, watchedFolderOf } from './status.ts';

/** What whoever holds the journal does for those who ask. */
export interface SocketWork {
  status(): Status;
  /** The newest so many, and how many there are. */
  jobs(max: number): { readonly jobs: readonly JobSnapshot[]; readonly count: number };
  job(id: string): JobSnapshot | undefined;
  rules(): Answers['rules'];
  /** Throws `job-unknown`. */
  act(id: string, action: CommandAction): Promise<Answers['act']>;
  /** Of a rule, or of all (null). Throws `watch-rule-unknown`. */
  sources(ruleId: string | null): Answers['sources'];
  decide(ruleId: string, path: string, decision: SourceDecision): Promise<Answers['decide']>;
  /** As `addOnce`. Throws `not-signed-in`, why the service may not be used, `source-missing` too. */
  submit(job: Submitted, again: boolean): Promise<Answers['submit']>;
  accounts(): Answers['accounts'];
  /** As one of its accounts. Throws `not-signed-in`, and what reading throws. */
  assets(accountId: string, only: AssetFilter, signal: AbortSignal): Promise<readonly Asset[]>;
  asset(accountId: string, assetId: number, signal: AbortSignal): Promise<Asset>;
  /** Called with the id of each job that changed. Returns an unsubscribe function. */
  onJob(listener: (id: string) => void): () => void;
  stop(): void;
}

export interface WorkParts {
  readonly jobs: JobService;
  readonly watch: WatchService;
  readonly accounts: AccountService;
  readonly alerts: Pick<AlertService, 'waiting' | 'last'>;
  readonly clock: Clock;
}

/** In this order: what is in trouble is tried now, what has ended for good begins anew. */
const retries: readonly JobAction[] = ['try-now', 'try-again', 'start-again'];

/** The services of a composed Tilelift, as a socket offers them. */
export function createSocketWork({ jobs, watch, accounts, alerts, clock }: WorkParts): SocketWork {
  const startedAt = clock.now();
  let outageSince: number | null = null;
  let lastSuccessAt: number | null | undefined;
  const stops = [
    watch.onOutage((outage) => {
      outageSince = outage.kind === 'begun' ? outage.since : null;
    }),
    watch.onEnd(({ outcome, endedAt }) => {
      if (outcome === 'complete') lastSuccessAt = Math.max(lastSuccessAt ?? 0, endedAt);
    }),
  ];

  function act(job: JobSnapshot, action: CommandAction): JobAction | null {
    const wanted = action === 'retry' ? retries : [action];
    return wanted.find((one) => job.actions.includes(one)) ?? null;
  }

  /** Of those that are signed in: an id of anything else is nobody's. Throws where a policy refuses it. */
  function serviceOf(accountId: string): ServiceApi {
    if (!accounts.accounts().some(({ id }) => id === accountId)) throw notSignedIn();
    return accounts.serviceFor(accountId);
  }

  return {
    status: () => {
      // Not before someone asks: a receipt may be large.
      lastSuccessAt ??= lastReceipt(watch);
      const ended = jobs.endedTotals();
      const completeAt = ended.get('complete')?.lastAt ?? null;
      return statusOf({
        now: clock.now(),
        startedAt,
        accounts: accounts.accounts(),
        lostService: accounts.signedOut().find(({ isLost }) => isLost)?.baseUrl ?? null,
        jobs: jobs.unfinished(),
        ended,
        rules: watch.rules(),
        lastSuccessAt:
          completeAt === null ? lastSuccessAt : Math.max(completeAt, lastSuccessAt ?? completeAt),
        outageSince,
        alertsWaiting: alerts.waiting(),
        alertFailures: Object.values(alerts.last()).flatMap((last) => (last?.error ? [last.error] : [])),
      });
    },
    jobs: (max) => {
      const { newest, count } = newestJobs(jobs, max);
      return { jobs: newest.map(onWire), count };
    },
    job: (id) => {
      const job = jobs.get(id);
      return job && onWire(job);
    },
    rules: () => watch.rules().map(watchedFolderOf),
    act: async (id, action) => {
      const before = jobs.get(id);
      if (!before) throw new TileliftError('job-unknown', { subject: id });
      const done = act(before, action);
      if (done) await jobs.act(id, done);
      const after = jobs.get(id);
      return { done, job: after ? onWire(after) : null };
    },
    sources: (ruleId) => {
      const rules = watch.rules().filter(({ rule }) => ruleId === null || rule.id === ruleId);
      if (ruleId !== null && rules.length === 0) throw new TileliftError('watch-rule-unknown');
      const lists = rules.map(({ rule }) => watch.sources(rule.id));
      return { sources: lists.flat(), isCut: lists.some(({ length }) => length >= maxSourcesListed) };
    },
    decide: async (ruleId, path, decision) => {
      const source = watch.sources(ruleId).find((one) => one.path === path);
      const done = (source && actionFor(source, decision)) ?? null;
      if (done) await watch.act(ruleId, path, done);
      return { done };
    },
    submit: async ({ accountId: given, ...job }, again) => {
      const accountId = given ?? accounts.current();
      if (accountId === null) throw notSignedIn();
      serviceOf(accountId);
      await checkPaths(job.paths);
      const added = await addOnce(jobs, { ...job, accountId }, again);
      return { ...added, job: onWire(added.job) };
    },
    accounts: () => ({ accounts: accounts.accounts(), current: accounts.current() }),
    assets: async (accountId, only, signal) => {
      const all = await serviceOf(accountId).listAssets(signal);
      return all.filter((asset) => isWanted(asset, only));
    },
    asset: async (accountId, assetId, signal) => serviceOf(accountId).readAsset(assetId, signal),
    onJob: (listener) => jobs.onChange(listener),
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

const notSignedIn = () => new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });

/** Receipts that are read for it. */
const maxReceiptsRead = 50;

function lastReceipt(watch: WatchService): number | null {
  let left = maxReceiptsRead;
  for (const { outcome, endedAt } of watch.receipts(null)) {
    if (outcome === 'complete') return endedAt;
    if (--left === 0) break;
  }
  return null;
}

function onWire(job: JobSnapshot): JobSnapshot {
  return job.paths.length > maxPathsTold ? { ...job, paths: job.paths.slice(0, maxPathsTold) } : job;
}

/**
 * Looks whether what was handed over is there for this process too: it may live in another container, as
 * another user, or with other network drives than the command that has found it.
 * @throws TileliftError `source-missing`, naming the first that is not there; `source-stalled`
 */
async function checkPaths(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await withoutStall(
      stat(path).catch(() => null),
      path,
      defaultReadStallMs,
    );
    if (!found) throw new TileliftError('source-missing', { subject: path });
  }
}
