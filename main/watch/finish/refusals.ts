import type { ErrorRecord } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import type { LedgerEntry } from '../model/model.ts';
import { isAhead } from '../model/scheduling.ts';
import type { LedgerPorts } from '../state/ports.ts';
import { isRefusal, mayTryAnother, refusedAlone } from '../state/source-state.ts';

interface RefusalsOptions {
  readonly parts: Pick<LedgerPorts, 'ledger' | 'clock' | 'jobs' | 'onChange'>;
  readonly jobs: () => Iterable<{ readonly job: JobSnapshot; readonly ruleId: string }>;
  readonly ring: (ruleId: string) => void;
}

/**
 * Pauses rules while the ledger has refused sources (`refusedAt`). These are retried at their own intervals
 * and with their own assets. The pause ends once storage has all bytes of any source of the rule.
 */
export class Refusals {
  readonly #options: RefusalsOptions;

  constructor(options: RefusalsOptions) {
    this.#options = options;
  }

  /** Storage has all bytes of a source. `uploadedAt`: ms since the epoch. */
  passed(ruleId: string, uploadedAt: number): void {
    const { ledger, jobs, clock, onChange } = this.#options.parts;
    const accepted = this.#refused(ruleId).filter(({ refusedAt }) => (refusedAt ?? 0) < uploadedAt);
    if (accepted.length === 0) return;
    for (const { path, state } of accepted) {
      const retryAt = state === 'waits-for-retry' && { retryAt: clock.now() };
      ledger.change(ruleId, path, { refusedAt: refusedAlone, ...retryAt });
    }
    jobs.accountsChanged();
    onChange(ruleId);
    this.#options.ring(ruleId);
  }

  reason(ruleId: string): ErrorRecord | null {
    return this.#refused(ruleId)[0]?.error ?? null;
  }

  /** The rule isn't paused, or the refused sources were retried often enough. */
  mayTakeAnother(ruleId: string): boolean {
    const refused = this.#refused(ruleId);
    return refused.length === 0 || (mayTryAnother(refused) && this.#begun(ruleId).length === 0);
  }

  /** Why a job without an asset must not begin, or null. */
  whyHeld(jobId: string): ErrorRecord | null {
    const followed = [...this.#options.jobs()];
    const ruleId = followed.find(({ job }) => job.id === jobId)?.ruleId;
    if (ruleId === undefined) return null;
    // The ledger isn't updated yet.
    const failed = followed.find(
      ({ job, ...other }) => other.ruleId === ruleId && job.status === 'failed' && isRefusal(job.error),
    );
    if (failed) return failed.job.error;
    const refused = this.#refused(ruleId);
    const isProbe = mayTryAnother(refused) && this.#begun(ruleId)[0]?.id === jobId;
    return isProbe ? null : (refused[0]?.error ?? null);
  }

  #refused(ruleId: string): readonly LedgerEntry[] {
    return this.#options.parts.ledger.refused(ruleId);
  }

  /** Sources with an asset first. */
  #begun(ruleId: string): readonly JobSnapshot[] {
    return [...this.#options.jobs()]
      .filter((followed) => followed.ruleId === ruleId && isAhead(followed.job))
      .map(({ job }) => job)
      .sort((a, b) => Number(b.assetId !== null) - Number(a.assetId !== null));
  }
}
