import type { LedgerEntry } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import type { WatchParts } from '../watch-parts.ts';
import type { ClaimedAsset } from './claim-model.ts';
import { isStalled } from './no-hoarding.ts';

/** Jobs that are remembered to need no more looks. */
const maxSettled = 10_000;

/** Puts the assets of jobs into the claims of their sources as soon as they are known, for a successor. */
export class AssetNaming {
  readonly #parts: WatchParts;
  readonly #onUnclaimed: (rule: WatchRule) => void;
  /** Rows of jobs that continue. */
  readonly #rows = new Map<string, Pick<LedgerEntry, 'ruleId' | 'path'>>();
  /** Whose claims name all there is to name, or which have none. */
  readonly #settled = new Set<string>();
  readonly #told = new Map<string, string>();
  #stopListening = () => {};

  /** `onUnclaimed`: a job continues whose claim was let go, or is not known yet. */
  constructor(parts: WatchParts, onUnclaimed: (rule: WatchRule) => void) {
    this.#parts = parts;
    this.#onUnclaimed = onUnclaimed;
  }

  start(): void {
    this.#stopListening = this.#parts.jobs.onChange((jobId) => this.#look(jobId));
    for (const { jobId } of this.#parts.ledger.taken()) if (jobId !== null) this.#look(jobId);
  }

  stop(): void {
    this.#stopListening();
  }

  #look(jobId: string): void {
    if (this.#settled.has(jobId)) return;
    const { jobs, ledger, log } = this.#parts;
    const row = this.#rows.get(jobId) ?? ledger.ofJob(jobId);
    const rule = row && this.#parts.ruleOf(row.ruleId);
    if (!row || !rule?.shared) {
      this.#settle(jobId);
      return;
    }
    this.#rows.set(jobId, { ruleId: row.ruleId, path: row.path });
    const job = jobs.get(jobId);
    const isUnderWay = job !== undefined && job.endedAt === null && !isStalled(job);
    if (isUnderWay && !this.#parts.claimsOf(rule)?.mine().includes(row.path)) this.#onUnclaimed(rule);
    const asset = job && assetOf(job, this.#parts.accounts.serviceOf(rule.accountId));
    if (asset) {
      const words = JSON.stringify(asset);
      if (this.#told.get(jobId) !== words) {
        this.#told.set(jobId, words);
        const named = this.#parts.claimsOf(rule)?.name(row.path, asset);
        // The next renewal names it.
        named?.catch((error) => log.warn({ ruleId: rule.id, error }, 'a claim could not name its asset'));
      }
    }
    if (!job || job.endedAt !== null || asset?.uploaded) this.#settle(jobId);
  }

  #settle(jobId: string): void {
    if (this.#settled.size >= maxSettled) this.#settled.clear();
    this.#settled.add(jobId);
    this.#rows.delete(jobId);
    this.#told.delete(jobId);
  }
}

/** The asset of a job, as a claim names it; null before there is one. */
export function assetOf(
  job: { readonly assetId: number | null; readonly uploadedAt: number | null },
  service: string | null,
): ClaimedAsset | null {
  return job.assetId === null ? null : { id: job.assetId, service, uploaded: job.uploadedAt !== null };
}
