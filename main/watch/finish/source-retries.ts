import { type TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import { areThere } from '../../files/whereabouts.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import type { Random } from '../../service/backoff.ts';
import type { FolderLeases } from '../model/lease-model.ts';
import type { LedgerEntry } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { scanSourceAt } from '../scan/scan-rule.ts';
import { allowsAnother, retryDelayMs, retryTimeOf } from '../state/ledger/asset-rules.ts';
import type { LedgerPorts } from '../state/ports.ts';
import type { RestoredJournal } from '../state/restored-journal.ts';
import { sourceScanOptions } from '../state/scan-options.ts';
import { next, stateOf } from '../state/source-state.ts';
import { underWay } from './after-job.ts';
import type { JobFollower } from './job-follower.ts';

interface RunnerView {
  isAwaited(path: string): boolean;
  rescan(path: string): void;
}

export interface SourceRetriesOptions {
  readonly parts: LedgerPorts;
  readonly follower: Pick<JobFollower, 'hasSlot' | 'follow'>;
  readonly leases: FolderLeases;
  readonly restored: Pick<RestoredJournal, 'check'>;
  /** Undefined while the folder isn't watched. */
  readonly runnerOf: (ruleId: string) => RunnerView | undefined;
  readonly random: Random;
  readonly worker: URL | undefined;
}

/** Retries failed sources: with their own job if possible, otherwise possibly as another asset. */
export class SourceRetries {
  readonly #options: SourceRetriesOptions;
  readonly #parts: LedgerPorts;

  constructor(options: SourceRetriesOptions) {
    this.#options = options;
    this.#parts = options.parts;
  }

  /** The job continues by itself or can be retried, so the source needs no other asset. */
  async hasOwnJob(entry: LedgerEntry): Promise<boolean> {
    return (await this.#ownJobOf(entry)) !== undefined;
  }

  /** Retries due sources of a rule. Returns the next due time, ms since the epoch, or null. */
  async retryDue(rule: WatchRule): Promise<number | null> {
    const { ledger, clock } = this.#parts;
    const { restored, follower, runnerOf } = this.#options;
    await restored.check();
    for (const entry of ledger.waitingForRetry(rule.id)) {
      const currentTime = clock.now();
      const retryTime = retryTimeOf(entry, currentTime);
      if (retryTime > currentTime) return retryTime;
      if (!follower.hasSlot(rule.accountId)) return null;
      if (runnerOf(rule.id)?.isAwaited(entry.path)) continue;
      // A lost journal may already have completed it; the next scan asks the user.
      if (entry.standing?.why === 'restored') continue;
      try {
        await this.#tryAgain(rule, entry);
      } catch (error) {
        this.#postpone(entry, toTileliftError(error));
      }
    }
    return null;
  }

  /**
   * Retries a finished source on request. Returns false if it is still running or would create a duplicate.
   */
  request(ruleId: string, path: string): boolean {
    const { ledger, clock, onChange } = this.#parts;
    const nextState = next(stateOf(ledger.find(ruleId, path)), { kind: 'user-decided', choice: 'retry' });
    if (nextState.kind !== 'waiting') return false;
    const currentTime = clock.now();
    ledger.change(ruleId, path, {
      state: 'waits-for-retry',
      retryAt: currentTime,
      standing: { why: 'upload', startedAt: currentTime },
    });
    onChange(ruleId);
    return true;
  }

  async #tryAgain(rule: WatchRule, entry: LedgerEntry): Promise<void> {
    const { ledger, jobs, clock, onChange } = this.#parts;
    const { follower, leases, runnerOf, worker } = this.#options;
    const { id } = rule;
    const job = await this.#ownJobOf(entry);
    if (!job) {
      // It is fully uploaded, so only the user may request a second asset.
      if (!allowsAnother(entry)) ledger.change(id, entry.path, { state: 'waits-for-person', retryAt: null });
      else if (await scanSourceAt(rule, entry.path, sourceScanOptions(rule, this.#parts, worker)))
        runnerOf(id)?.rescan(entry.path);
      else {
        const standing = { why: 'gone', startedAt: clock.now() } as const;
        ledger.change(id, entry.path, { standing });
      }
      return;
    }
    if (!(await leases.renew(rule))) return;
    // The ledger first: a kill in between leaves an ended job, which is checked again.
    ledger.change(id, entry.path, underWay(entry));
    follower.follow(job.id, id);
    await jobs.act(job.id, 'try-again');
    onChange(id);
  }

  /** Count this as a failed attempt so that others aren't blocked. */
  #postpone({ ruleId, path, retries: previousRetries }: LedgerEntry, error: TileliftError): void {
    const { ledger, clock, log } = this.#parts;
    log.warn({ ruleId, error }, 'a source could not be tried again');
    const retries = previousRetries + 1;
    const retryAt = clock.now() + retryDelayMs(retries, this.#options.random);
    ledger.change(ruleId, path, { state: 'waits-for-retry', retries, retryAt, error: toErrorRecord(error) });
  }

  async #ownJobOf({ jobId }: LedgerEntry): Promise<JobSnapshot | undefined> {
    const job = jobId ? this.#parts.jobs.get(jobId) : undefined;
    if (!job || job.endedAt === null || job.status === 'complete') return job;
    if (!job.actions.includes('try-again')) return undefined;
    // An unfinished job can't follow its source to another name.
    return job.uploadedAt !== null || (await areThere(job.paths)) ? job : undefined;
  }
}
