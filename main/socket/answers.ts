import { stat } from 'node:fs/promises';
import type { JobAction } from '../../shared/job-status.ts';
import type { AssetChange } from '../../shared/schemas/asset-change.ts';
import { maxSourcesListed } from '../../shared/watch.ts';
import type { AccountService } from '../account/model/model.ts';
import type { AlertService } from '../alerts/alert-service.ts';
import { TileliftError } from '../errors.ts';
import { defaultReadStallMs, withoutStall } from '../files/stalled-read.ts';
import { addOnce } from '../jobs/add-once.ts';
import { newestJobs } from '../jobs/list/newest-jobs.ts';
import type { JobService, JobSnapshot } from '../jobs/model.ts';
import type { Clock } from '../ports.ts';
import type { Asset, ServiceApi } from '../service/model.ts';
import type { WatchService } from '../watch/model/model.ts';
import { type AssetFilter, isWanted } from './asset-filter.ts';
import {
  type Answers,
  actionFor,
  type CommandAction,
  maxPathsListed,
  type SourceDecision,
  type SubmittedJob,
} from './protocol.ts';
import { type Status, statusOf, watchedFolderOf } from './status.ts';

/** Operations for commands. */
export interface SocketWork {
  status(): Status;
  /** At most `max` jobs, and the number of all. */
  jobs(max: number): { readonly jobs: readonly JobSnapshot[]; readonly count: number };
  job(id: string): JobSnapshot | undefined;
  rules(): Answers['rules'];
  /** Throws `job-unknown`. */
  performAction(id: string, action: CommandAction): Promise<Answers['act']>;
  /** Null: of all. Throws `watch-rule-unknown`. */
  sources(ruleId: string | null): Answers['sources'];
  decide(ruleId: string, path: string, decision: SourceDecision): Promise<Answers['decide']>;
  /** Like `addOnce`; also throws `not-signed-in`, the refusal of the service, `source-missing`. */
  submit(job: SubmittedJob, allowRepeat: boolean): Promise<Answers['submit']>;
  accounts(): Answers['accounts'];
  /** Throws `not-signed-in`. */
  assets(accountId: string, filter: AssetFilter, signal: AbortSignal): Promise<readonly Asset[]>;
  asset(accountId: string, assetId: number, signal: AbortSignal): Promise<Asset>;
  editAsset(accountId: string, assetId: number, change: AssetChange, signal: AbortSignal): Promise<Asset>;
  deleteAsset(accountId: string, assetId: number, signal: AbortSignal): Promise<void>;
  /** Returns an unsubscribe function. */
  onJob(listener: (id: string) => void): () => void;
  stop(): void;
}

export interface WorkParts {
  readonly jobs: JobService;
  readonly watch: WatchService;
  readonly accounts: AccountService;
  readonly alerts: Pick<AlertService, 'countWaiting' | 'lastOutcomes'>;
  readonly clock: Clock;
}

/** By priority. */
const retries: readonly JobAction[] = ['try-now', 'try-again', 'start-again'];

export function createSocketWork({ jobs, watch, accounts, alerts, clock }: WorkParts): SocketWork {
  const startedAt = clock.now();
  let outageSince: number | null = null;
  let lastSuccessAt: number | null | undefined;
  const stops = [
    watch.onOutage((outage) => {
      outageSince = outage.kind === 'begun' ? outage.startedAt : null;
    }),
    watch.onEnd(({ outcome, endedAt }) => {
      if (outcome === 'complete') lastSuccessAt = Math.max(lastSuccessAt ?? 0, endedAt);
    }),
  ];

  function act(job: JobSnapshot, action: CommandAction): JobAction | null {
    const requested = action === 'retry' ? retries : [action];
    return requested.find((candidate) => job.actions.includes(candidate)) ?? null;
  }

  /** Throws if a policy refuses it. */
  function serviceOf(accountId: string): ServiceApi {
    if (!accounts.accounts().some(({ id }) => id === accountId)) throw notSignedIn();
    return accounts.serviceFor(accountId);
  }

  return {
    status: () => {
      // Receipts may be large.
      lastSuccessAt ??= lastReceipt(watch);
      const endedTotals = jobs.endedTotals();
      const completeAt = endedTotals.get('complete')?.lastAt ?? null;
      return statusOf({
        nowMs: clock.now(),
        startedAt,
        accounts: accounts.accounts(),
        lostService: accounts.signedOutAccounts().find(({ isLost }) => isLost)?.baseUrl ?? null,
        jobs: jobs.unfinishedJobs(),
        endedCounts: endedTotals,
        rules: watch.rules(),
        lastSuccessAt:
          completeAt === null ? lastSuccessAt : Math.max(completeAt, lastSuccessAt ?? completeAt),
        outageSince,
        alertsWaiting: alerts.countWaiting(),
        alertFailures: Object.values(alerts.lastOutcomes()).flatMap((outcome) =>
          outcome?.error ? [outcome.error] : [],
        ),
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
    performAction: async (id, action) => {
      const previous = jobs.get(id);
      if (!previous) throw new TileliftError('job-unknown', { subject: id });
      const performed = act(previous, action);
      if (performed) await jobs.act(id, performed);
      const updated = jobs.get(id);
      return { done: performed, job: updated ? onWire(updated) : null };
    },
    sources: (ruleId) => {
      const rules = watch.rules().filter(({ rule }) => ruleId === null || rule.id === ruleId);
      if (ruleId !== null && rules.length === 0) throw new TileliftError('watch-rule-unknown');
      const lists = rules.map(({ rule }) => watch.sources(rule.id));
      return { sources: lists.flat(), isCut: lists.some(({ length }) => length >= maxSourcesListed) };
    },
    decide: async (ruleId, path, decision) => {
      const source = watch.sources(ruleId).find((candidate) => candidate.path === path);
      const performed = (source && actionFor(source, decision)) ?? null;
      if (performed) await watch.act(ruleId, path, performed);
      return { done: performed };
    },
    submit: async ({ accountId: requestedId, ...job }, allowRepeat) => {
      const accountId = requestedId ?? accounts.current();
      if (accountId === null) throw notSignedIn();
      serviceOf(accountId);
      await checkPaths(job.paths);
      const added = await addOnce(jobs, { ...job, accountId }, allowRepeat);
      return { ...added, job: onWire(added.job) };
    },
    accounts: () => ({ accounts: accounts.accounts(), current: accounts.current() }),
    assets: async (accountId, filter, signal) => {
      const assets = await serviceOf(accountId).listAssets(signal);
      return assets.filter((asset) => isWanted(asset, filter));
    },
    asset: async (accountId, assetId, signal) => serviceOf(accountId).readAsset(assetId, signal),
    editAsset: async (accountId, assetId, change, signal) =>
      serviceOf(accountId).editAsset(assetId, change, signal),
    deleteAsset: async (accountId, assetId, signal) => serviceOf(accountId).deleteAsset(assetId, signal),
    onJob: (listener) => jobs.onChange(listener),
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

const notSignedIn = () => new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });

const maxReceiptsRead = 50;

function lastReceipt(watch: WatchService): number | null {
  let receiptsLeft = maxReceiptsRead;
  for (const { outcome, endedAt } of watch.receipts(null)) {
    if (outcome === 'complete') return endedAt;
    if (--receiptsLeft === 0) break;
  }
  return null;
}

function onWire(job: JobSnapshot): JobSnapshot {
  return job.paths.length > maxPathsListed ? { ...job, paths: job.paths.slice(0, maxPathsListed) } : job;
}

/**
 * This process may run in another container, as another user or with other drives.
 * @throws TileliftError `source-missing`, `source-stalled`
 */
async function checkPaths(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const stats = await withoutStall(
      stat(path).catch(() => null),
      path,
      defaultReadStallMs,
    );
    if (!stats) throw new TileliftError('source-missing', { subject: path });
  }
}
