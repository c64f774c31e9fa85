import { randomUUID } from 'node:crypto';
import { errorPhrase } from '../../../strings/said-error.ts';
import { withinOrAbandon } from '../../abandoned-work.ts';
import { toErrorRecord, toTileliftError } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { type FolderLeases, leaseName, type Standing, type WatchOwner } from '../model/lease-model.ts';
import type { WatchRule, WatchTiming } from '../model/rule.ts';
import { type LedgerPorts, type WatchAccounts, writeActivity } from '../state/ports.ts';
import { Lease } from './lease.ts';
import type { SourceMarks } from './takeover.ts';

interface LeasesOptions {
  readonly parts: LedgerPorts;
  readonly accounts: Pick<WatchAccounts, 'isReady'>;
  readonly marks: SourceMarks;
  readonly owner: WatchOwner;
  readonly timing: WatchTiming;
  readonly onLost: (ruleId: string) => void;
}

/** Maximum wait for a file server before jobs continue, ms. */
const patienceMs = 5_000;

const ours: Standing = { kind: 'ours' };

interface KnownLease {
  readonly lease: Lease;
  readonly rule: WatchRule;
  /** A silent file server blocks only its own folder. */
  isBusy: boolean;
  isPrepared: boolean;
}

/** The leases of all rules with shared folders. */
export class Leases implements FolderLeases {
  readonly #options: LeasesOptions;
  readonly #parts: LedgerPorts;
  readonly #session = randomUUID();
  readonly #leases = new Map<string, KnownLease>();
  #renewing: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: LeasesOptions) {
    this.#options = options;
    this.#parts = options.parts;
  }

  /** Resolves when jobs that another computer took over are abandoned. */
  async start(): Promise<void> {
    const { ledger, rules } = this.#parts;
    const underWay = new Set(ledger.takenEntries().map(({ ruleId }) => ruleId));
    const shared = rules().filter((rule) => rule.shared && underWay.has(rule.id));
    await Promise.all(shared.map((rule) => withinOrAbandon(this.#check(this.#entryFor(rule)), patienceMs)));
    this.#renewing = setInterval(() => this.renewAll(), this.#options.timing.renewLeaseMs);
  }

  /** Lets other computers watch: at once if no job is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#renewing);
    this.#isStopped = true;
    const releases = [...this.#leases.values()].map(async ({ lease, rule }) =>
      lease.release(this.#hasJobs(rule.id) ? 'rest' : 'at-once').catch((error) => this.#log(rule, error)),
    );
    await withinOrAbandon(Promise.all(releases), patienceMs);
  }

  async acquire(rule: WatchRule): Promise<Standing> {
    if (!rule.shared) return ours;
    // A computer that can't upload leaves the folder to those that can.
    if (!this.#options.accounts.isReady(rule.accountId)) return { kind: 'theirs', host: null };
    const leaseEntry = this.#entryFor(rule);
    const standing = leaseEntry.lease.isHeld ? ours : await leaseEntry.lease.acquire();
    if (standing.kind !== 'ours' || leaseEntry.isPrepared) return standing;
    await this.#options.marks.publish(rule);
    await this.#options.marks.knowBatches(rule);
    leaseEntry.isPrepared = true;
    return standing;
  }

  async renew(rule: WatchRule): Promise<boolean> {
    if (!rule.shared) return true;
    const leaseEntry = this.#entryFor(rule);
    const wasHeld = leaseEntry.lease.isHeld;
    const isOurs = await leaseEntry.lease.renew();
    if (wasHeld && !isOurs) await this.#lose(leaseEntry);
    return isOurs;
  }

  writes(rule: WatchRule): boolean {
    return rule.shared && this.#entryFor(rule).lease.isHeld;
  }

  #entryFor(rule: WatchRule): KnownLease {
    const key = keyOf(rule);
    const leaseEntry = this.#leases.get(key) ?? {
      ...{ lease: this.#make(rule), rule, isBusy: false, isPrepared: false },
    };
    this.#leases.set(key, leaseEntry);
    return leaseEntry;
  }

  #make(rule: WatchRule): Lease {
    const { clock } = this.#parts;
    const { owner, timing } = this.#options;
    return new Lease({
      ...{ rule, owner, session: this.#session, clock },
      staleMs: timing.staleLeaseMs,
      formerMs: formerRenewals * timing.renewLeaseMs,
      onForeign: (error) => writeActivity(this.#parts, rule.id, errorPhrase(toErrorRecord(error))),
    });
  }

  /** Also called after sleep, when another computer may have taken over. */
  renewAll(): void {
    for (const [key, leaseEntry] of this.#leases) {
      if (leaseEntry.isBusy) continue;
      leaseEntry.isBusy = true;
      void this.#renewOne(key, leaseEntry)
        .catch((error) => this.#log(leaseEntry.rule, error))
        .finally(() => {
          leaseEntry.isBusy = false;
        });
    }
  }

  async #renewOne(key: string, leaseEntry: KnownLease): Promise<void> {
    const { lease, rule } = leaseEntry;
    const hasJobs = this.#hasJobs(rule.id);
    if (!hasJobs && !this.#isWanted(key)) {
      this.#leases.delete(key);
      await lease.release('at-once');
    } else if (!lease.isHeld) {
      if (hasJobs) await this.#check(leaseEntry);
    } else if (!(await (this.#isStalled(rule) ? lease.isStillOurs() : lease.renew())))
      await this.#lose(leaseEntry);
  }

  /** A computer without progress stops renewing, so that another one takes over. */
  #isStalled(rule: WatchRule): boolean {
    const { jobs, ledger } = this.#parts;
    if (!this.#options.accounts.isReady(rule.accountId)) return true;
    const ruleEntries = ledger
      .takenEntries()
      .filter(({ ruleId, jobId }) => ruleId === rule.id && jobId !== null);
    return ruleEntries.length > 0 && ruleEntries.every(({ jobId }) => isStalled(jobs.get(jobId ?? '')));
  }

  /** Jobs continue only while no other computer watches. */
  async #check(leaseEntry: KnownLease): Promise<void> {
    const { lease, rule } = leaseEntry;
    const standing = await lease.acquire().catch((error) => this.#log(rule, error));
    if (standing?.kind === 'theirs') await this.#lose(leaseEntry);
  }

  /** Resolves when the other computer's jobs are abandoned here. */
  async #lose(leaseEntry: KnownLease): Promise<void> {
    if (this.#isStopped) return;
    const { rule } = leaseEntry;
    leaseEntry.isPrepared = false;
    this.#options.onLost(rule.id);
    await this.#options.marks.giveUp(rule).catch((error) => this.#log(rule, error));
  }

  #isWanted(key: string): boolean {
    const { accounts } = this.#options;
    return this.#parts
      .rules()
      .some((rule) => rule.on && rule.shared && keyOf(rule) === key && accounts.isReady(rule.accountId));
  }

  #hasJobs(ruleId: string): boolean {
    return this.#parts.ledger.takenEntries().some((entry) => entry.ruleId === ruleId);
  }

  #log(rule: WatchRule, cause: unknown): undefined {
    const error = toErrorRecord(toTileliftError(cause));
    this.#parts.log.warn({ ruleId: rule.id, error }, 'the lease of a folder could not be used');
  }
}

const keyOf = (rule: WatchRule): string => `${rule.folder}\0${leaseName(rule)}`;

/** Only a user, a sign-in or the network can continue the job. A fully uploaded one needs no computer. */
function isStalled(job: JobSnapshot | undefined): boolean {
  if (!job || job.endedAt !== null || job.uploadedAt !== null) return false;
  const { status, waitingFor } = job;
  return status === 'paused' || (waitingFor !== null && waitingFor !== 'turn' && waitingFor !== 'terrain');
}

/** Missed renewals before a computer takes over a lease that may be its copy's. */
const formerRenewals = 3;
