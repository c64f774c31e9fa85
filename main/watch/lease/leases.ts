import { randomUUID } from 'node:crypto';
import { errorPhrase } from '../../../strings/said-error.ts';
import { withinOrAbandon } from '../../abandoned-work.ts';
import { toErrorRecord, toTileliftError } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import type { WatchRule } from '../rule.ts';
import { type WatchParts, writeActivity } from '../watch-parts.ts';
import { Lease } from './lease.ts';
import { type FolderLeases, leaseName, type Standing, type WatchOwner } from './lease-model.ts';
import { giveUp, knowBatches, publishMarks } from './takeover.ts';

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
  readonly #parts: WatchParts;
  readonly #owner: WatchOwner;
  readonly #onLost: (ruleId: string) => void;
  readonly #session = randomUUID();
  readonly #leases = new Map<string, KnownLease>();
  #renewing: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(parts: WatchParts, owner: WatchOwner, onLost: (ruleId: string) => void) {
    this.#parts = parts;
    this.#owner = owner;
    this.#onLost = onLost;
  }

  get owner(): WatchOwner {
    return this.#owner;
  }

  /** Resolves when jobs that another computer took over are abandoned. */
  async start(): Promise<void> {
    const { ledger, rules, timing } = this.#parts;
    const underWay = new Set(ledger.taken().map(({ ruleId }) => ruleId));
    const shared = rules().filter((rule) => rule.shared && underWay.has(rule.id));
    await Promise.all(shared.map((rule) => withinOrAbandon(this.#check(this.#of(rule)), patienceMs)));
    this.#renewing = setInterval(() => this.renewAll(), timing.renewLeaseMs);
  }

  /** Lets other computers watch: at once if no job is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#renewing);
    this.#isStopped = true;
    const all = [...this.#leases.values()].map(async ({ lease, rule }) =>
      lease.release(this.#hasJobs(rule.id) ? 'rest' : 'at-once').catch((thrown) => this.#log(rule, thrown)),
    );
    await withinOrAbandon(Promise.all(all), patienceMs);
  }

  async take(rule: WatchRule): Promise<Standing> {
    if (!rule.shared) return ours;
    // A computer that can't upload leaves the folder to those that can.
    if (!this.#parts.accounts.isReady(rule.accountId)) return { kind: 'theirs', host: null };
    const known = this.#of(rule);
    const standing = known.lease.isHeld ? ours : await known.lease.take();
    if (standing.kind !== 'ours' || known.isPrepared) return standing;
    await publishMarks(rule, this.#parts);
    await knowBatches(rule, this.#parts);
    known.isPrepared = true;
    return standing;
  }

  async renew(rule: WatchRule): Promise<boolean> {
    if (!rule.shared) return true;
    const known = this.#of(rule);
    const wasHeld = known.lease.isHeld;
    const isOurs = await known.lease.renew();
    if (wasHeld && !isOurs) await this.#lose(known);
    return isOurs;
  }

  writes(rule: WatchRule): boolean {
    return rule.shared && this.#of(rule).lease.isHeld;
  }

  #of(rule: WatchRule): KnownLease {
    const key = `${rule.folder}\0${leaseName(rule)}`;
    const known = this.#leases.get(key) ?? {
      lease: this.#make(rule),
      rule,
      isBusy: false,
      isPrepared: false,
    };
    this.#leases.set(key, known);
    return known;
  }

  #make(rule: WatchRule): Lease {
    const { clock, elapsed, timing } = this.#parts;
    return new Lease({
      ...{ rule, owner: this.#owner, session: this.#session, elapsed },
      now: () => clock.now(),
      staleMs: timing.staleLeaseMs,
      formerMs: formerRenewals * timing.renewLeaseMs,
      onForeign: (error) => writeActivity(this.#parts, rule.id, errorPhrase(toErrorRecord(error))),
    });
  }

  /** Also called after sleep, when another computer may have taken over. */
  renewAll(): void {
    for (const [key, known] of this.#leases) {
      if (known.isBusy) continue;
      known.isBusy = true;
      void this.#renewOne(key, known)
        .catch((thrown) => this.#log(known.rule, thrown))
        .finally(() => {
          known.isBusy = false;
        });
    }
  }

  async #renewOne(key: string, known: KnownLease): Promise<void> {
    const { lease, rule } = known;
    const hasJobs = this.#hasJobs(rule.id);
    if (!hasJobs && !this.#isWanted(key)) {
      this.#leases.delete(key);
      await lease.release('at-once');
    } else if (!lease.isHeld) {
      if (hasJobs) await this.#check(known);
    } else if (!(await (this.#isStalled(rule) ? lease.isStillOurs() : lease.renew())))
      await this.#lose(known);
  }

  /** A computer without progress stops renewing, so that another one takes over. */
  #isStalled(rule: WatchRule): boolean {
    const { accounts, jobs, ledger } = this.#parts;
    if (!accounts.isReady(rule.accountId)) return true;
    const own = ledger.taken().filter(({ ruleId, jobId }) => ruleId === rule.id && jobId !== null);
    return own.length > 0 && own.every(({ jobId }) => isStalled(jobs.get(jobId ?? '')));
  }

  /** Jobs continue only while no other computer watches. */
  async #check(known: KnownLease): Promise<void> {
    const { lease, rule } = known;
    const standing = await lease.take().catch((thrown) => this.#log(rule, thrown));
    if (standing?.kind === 'theirs') await this.#lose(known);
  }

  /** Resolves when the other computer's jobs are abandoned here. */
  async #lose(known: KnownLease): Promise<void> {
    if (this.#isStopped) return;
    const { rule } = known;
    known.isPrepared = false;
    this.#onLost(rule.id);
    await giveUp(rule, this.#parts).catch((thrown) => this.#log(rule, thrown));
  }

  #isWanted(key: string): boolean {
    const { rules, accounts } = this.#parts;
    return rules().some(
      (rule) =>
        rule.on &&
        rule.shared &&
        `${rule.folder}\0${leaseName(rule)}` === key &&
        accounts.isReady(rule.accountId),
    );
  }

  #hasJobs(ruleId: string): boolean {
    return this.#parts.ledger.taken().some((entry) => entry.ruleId === ruleId);
  }

  #log(rule: WatchRule, thrown: unknown): undefined {
    const error = toErrorRecord(toTileliftError(thrown));
    this.#parts.log.warn({ ruleId: rule.id, error }, 'the lease of a folder could not be used');
  }
}

/** Only a user, a sign-in or the network can continue the job. A fully uploaded one needs no computer. */
function isStalled(job: JobSnapshot | undefined): boolean {
  if (!job || job.endedAt !== null || job.uploadedAt !== null) return false;
  const { status, waitingFor } = job;
  return status === 'paused' || (waitingFor !== null && waitingFor !== 'turn' && waitingFor !== 'terrain');
}

/** Missed renewals before a computer takes over a lease that may be its copy's. */
const formerRenewals = 3;
