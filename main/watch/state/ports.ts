import type { Said } from '../../../strings/phrase.ts';
import { inEnglish } from '../../../strings/sayer.ts';
import type { JobService, JobSnapshot } from '../../jobs/model.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../ports.ts';
import type { Asset } from '../../service/model.ts';
import type { LedgerEntry, ReceiptFile } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import type { Ledger, LedgerChange } from './ledger/ledger.ts';

/** Access to the accounts of rules. */
export interface WatchAccounts {
  /** Signed in and usable. */
  isReady(accountId: string): boolean;
  /** Display name or ID, also while signed out. */
  nameOf(accountId: string): string;
  /** Null for an unknown account. */
  serviceOf(accountId: string): string | null;
  /** Throws the error of a failed request. */
  readAsset(accountId: string, assetId: number): Promise<Asset>;
}

/** The part of the job service that watched folders use. */
type WatchJobs = Pick<
  JobService,
  'add' | 'get' | 'act' | 'forecast' | 'sentFiles' | 'onChange' | 'accountsChanged'
>;

/** The journal of sources and jobs, with listeners for changes of a rule's sources. */
export interface LedgerPorts {
  readonly ledger: Ledger;
  readonly jobs: WatchJobs;
  readonly clock: Clock;
  readonly log: Log;
  /** In creation order. */
  readonly rules: () => readonly WatchRule[];
  readonly ruleOf: (ruleId: string) => WatchRule | undefined;
  readonly onChange: (ruleId: string) => void;
}

/** Removes the job of a source, which is due for a retry. */
export async function withdrawJob(
  { ruleId, path }: Pick<LedgerEntry, 'ruleId' | 'path'>,
  job: Pick<JobSnapshot, 'id' | 'endedAt'> | undefined,
  { ledger, jobs, clock }: Pick<LedgerPorts, 'ledger' | 'jobs' | 'clock'>,
  change: LedgerChange = {},
): Promise<void> {
  const currentTime = clock.now();
  // The ledger first, so that the job's end changes nothing.
  const due = { state: 'waits-for-retry', endedAt: currentTime, retryAt: currentTime } as const;
  ledger.change(ruleId, path, { ...due, ...change });
  if (job?.endedAt === null) await jobs.act(job.id, 'cancel');
  if (job) await jobs.act(job.id, 'remove');
}

/** The uploaded files of a job: from the journal, or from the receipt if the job was removed. */
export function sentFilesOf(
  jobId: string,
  {
    ledger,
    jobs,
  }: { readonly ledger: Pick<Ledger, 'receiptOf'>; readonly jobs: Pick<JobService, 'get' | 'sentFiles'> },
): Iterable<ReceiptFile & { readonly mtimeMs?: number | null }> {
  return jobs.get(jobId) ? jobs.sentFiles(jobId) : (ledger.receiptOf(jobId)?.files ?? []);
}

/** Writes a line into a rule's activity log. */
export function writeActivity(
  { ledger, clock, log, ruleOf }: Pick<LedgerPorts, 'ledger' | 'clock' | 'log' | 'ruleOf'>,
  ruleId: string,
  ...phrases: readonly Said[]
): void {
  const text = inEnglish.sayAll(phrases);
  ledger.addActivity(ruleId, clock.now(), phrases, text);
  const rule = ruleOf(ruleId);
  log.info({ ruleId, ...(rule && { rule: rule.name, folder: rule.folder }) }, text);
}
