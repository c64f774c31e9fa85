import type { ErrorCode, ErrorRecord } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import type { LedgerEntry } from '../model/model.ts';
import { isAhead } from '../model/scheduling.ts';
import type { LedgerPorts } from '../state/ports.ts';

/** If storage refuses one source, it probably refuses all of the rule. */
const refusalCodes: ReadonlySet<ErrorCode> = new Set([
  'storage-denied',
  'storage-elsewhere',
  'storage-plain',
  'storage-private',
]);

export function isRefusal(error: ErrorRecord | null | undefined): boolean {
  return error != null && refusalCodes.has(error.code);
}

/** Failed tries of each refused source before another one may be the probe. */
const triesBeforeAnother = 2;

type Followed = Iterable<{
  readonly job: Pick<JobSnapshot, 'id' | 'status' | 'waitingFor' | 'assetId' | 'error'>;
  readonly ruleId: string;
}>;

const isRefusedJob = ({ status, error }: Pick<JobSnapshot, 'status' | 'error'>) =>
  status === 'failed' && isRefusal(error);

interface RefusalsOptions {
  readonly parts: Pick<LedgerPorts, 'ledger' | 'clock' | 'jobs' | 'onChange'>;
  readonly jobs: () => Followed;
  readonly ring: (ruleId: string) => void;
}

interface Refused {
  readonly error: ErrorRecord;
  readonly refusedAt: number;
}

/**
 * Pauses rules after storage refused a source. Only one source is retried, at its own intervals and with its
 * asset. The pause ends once storage has all bytes of any source of the rule; earlier refusals then only
 * concern their own source.
 */
export class Refusals {
  readonly #options: RefusalsOptions;
  /** By rule and path; loaded at a rule's first use. */
  readonly #refused = new Map<string, Map<string, Refused>>();
  readonly #exemptPaths = new Map<string, Set<string>>();

  constructor(options: RefusalsOptions) {
    this.#options = options;
  }

  /** The source's ledger row is updated. */
  recordEnd({ ruleId, path }: Pick<LedgerEntry, 'ruleId' | 'path'>): void {
    const { ledger, clock, jobs } = this.#options.parts;
    const refused = this.#refusalsOf(ruleId);
    const row = ledger.find(ruleId, path);
    const isRefused = row?.state === 'waits-for-retry' && isRefusal(row.error);
    if (isRefused && row.error && !this.#exemptPaths.get(ruleId)?.has(path))
      refused.set(path, { error: row.error, refusedAt: clock.now() });
    else if (!refused.delete(path) && !isRefused) return;
    // It held back other jobs, or others may be the probe now.
    jobs.accountsChanged();
  }

  /** Storage has all bytes of a source. `uploadedAt`: ms since the epoch. */
  passed(ruleId: string, uploadedAt: number): void {
    const refused = this.#refusalsOf(ruleId);
    const { ledger, jobs, clock, onChange } = this.#options.parts;
    const settledPaths = [...refused]
      .filter(([, refusal]) => refusal.refusedAt < uploadedAt)
      .map(([path]) => path);
    if (settledPaths.length === 0) return;
    const exemptPaths = this.#exemptPaths.get(ruleId) ?? new Set();
    this.#exemptPaths.set(ruleId, exemptPaths);
    for (const path of settledPaths) {
      refused.delete(path);
      exemptPaths.add(path);
      if (ledger.find(ruleId, path)?.state === 'waits-for-retry')
        ledger.change(ruleId, path, { retryAt: clock.now() });
    }
    jobs.accountsChanged();
    onChange(ruleId);
    this.#options.ring(ruleId);
  }

  reason(ruleId: string): ErrorRecord | null {
    return this.#refusedRows(ruleId)[0]?.error ?? null;
  }

  /** The rule isn't paused, or the source is the probe. */
  mayRetry({ ruleId, path }: LedgerEntry): boolean {
    if (this.#refusedRows(ruleId).length === 0) return true;
    return this.#refusalsOf(ruleId).has(path) && !this.#isSending(ruleId);
  }

  /** The rule isn't paused, or the refused sources were retried often enough. */
  mayTakeAnother(ruleId: string): boolean {
    return this.#isOtherDue(ruleId) && (this.reason(ruleId) === null || this.#begun(ruleId).length === 0);
  }

  /** Why a job without an asset must not begin, or null. */
  whyHeld(jobId: string): ErrorRecord | null {
    const followed = [...this.#options.jobs()];
    const currentJob = followed.find(({ job }) => job.id === jobId);
    if (!currentJob) return null;
    // The ledger isn't updated yet.
    const refusedJob = followed.find(({ job, ruleId }) => ruleId === currentJob.ruleId && isRefusedJob(job));
    if (refusedJob) return refusedJob.job.error;
    const reason = this.reason(currentJob.ruleId);
    if (reason === null) return null;
    const isFirst = this.#begun(currentJob.ruleId)[0]?.id === jobId;
    return isFirst && this.#isOtherDue(currentJob.ruleId) ? null : reason;
  }

  #isOtherDue(ruleId: string): boolean {
    const refusedRows = this.#refusedRows(ruleId);
    return refusedRows.every(({ retries }) => retries >= triesBeforeAnother * refusedRows.length);
  }

  #isSending(ruleId: string): boolean {
    return this.#begun(ruleId).some(({ assetId }) => assetId !== null);
  }

  #begun(ruleId: string): readonly Pick<JobSnapshot, 'id' | 'assetId'>[] {
    return [...this.#options.jobs()]
      .filter((followed) => followed.ruleId === ruleId && isAhead(followed.job))
      .map(({ job }) => job)
      .sort((a, b) => Number(b.assetId !== null) - Number(a.assetId !== null));
  }

  /** Skips rows that have ended or been removed. */
  #refusedRows(ruleId: string): readonly { readonly error: ErrorRecord; readonly retries: number }[] {
    const { ledger } = this.#options.parts;
    return [...this.#refusalsOf(ruleId)].flatMap(([path, { error }]) => {
      const row = ledger.find(ruleId, path);
      const isWaiting = row?.state === 'waits-for-retry' || row?.state === 'taken';
      return row && isWaiting ? [{ error, retries: row.retries }] : [];
    });
  }

  #refusalsOf(ruleId: string): Map<string, Refused> {
    const loaded = this.#refused.get(ruleId);
    if (loaded) return loaded;
    const rows = this.#options.parts.ledger.waitingForRetry(ruleId);
    const refused = new Map(
      rows.flatMap(({ path, error, endedAt, takenAt }): [string, Refused][] =>
        error && isRefusal(error) ? [[path, { error, refusedAt: endedAt ?? takenAt }]] : [],
      ),
    );
    this.#refused.set(ruleId, refused);
    return refused;
  }
}
