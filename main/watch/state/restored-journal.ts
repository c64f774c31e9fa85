import { toTileliftError } from '../../errors.ts';
import { JournalAge } from './journal-age.ts';
import { type WatchParts, writeActivity } from './watch-parts.ts';

interface RestoredOptions {
  readonly journalPath?: string | undefined;
  /** False: rows were lost, and the user knows. */
  readonly ledgerIsWhole: boolean;
}

/**
 * Detects a journal restored from a backup. Unknown sources may have become assets since, so they are held
 * until the user decides.
 */
export class Restored {
  readonly #parts: WatchParts;
  readonly #options: RestoredOptions;
  readonly #look: (ruleId: string) => void;
  readonly #age: JournalAge | null;
  /** Also done after a normal start, because a kill may have interrupted it. */
  #isHandedBack = false;
  #isTold = false;

  constructor(parts: WatchParts, options: RestoredOptions, look: (ruleId: string) => void) {
    this.#look = look;
    this.#parts = parts;
    this.#options = options;
    const { journalPath } = options;
    this.#age =
      journalPath === undefined
        ? null
        : new JournalAge({
            journalPath,
            age: () => parts.ledger.journalAge(),
            onOlder: (before) => this.#begin(before),
          });
  }

  /** Call it before any job continues, and before any upload from a rule's folder. */
  async check(): Promise<void> {
    try {
      await this.#age?.meet();
    } catch (thrown) {
      if (!this.#isTold)
        this.#parts.log.warn({ error: toTileliftError(thrown) }, 'the journal’s age could not be kept');
      this.#isTold = true;
    }
    if (!this.#isHandedBack) await handBackQueued(this.#parts);
    this.#isHandedBack = true;
  }

  #begin(before: number): void {
    const { ledger, clock, log, rules: all } = this.#parts;
    const rules = this.#options.ledgerIsWhole ? all() : [];
    this.#isHandedBack = false;
    ledger.beginRestored(
      rules.map(({ id }) => id),
      before,
      clock.now(),
    );
    for (const { id } of rules) {
      this.#look(id);
      writeActivity(this.#parts, id, { key: 'sources.restored' });
    }
    log.warn({ rules: rules.length }, 'the journal is older than it was');
  }
}

/**
 * Holds sources whose asset a restored journal doesn't know. Cancels their jobs, so that no second asset is
 * created; a job with an asset continues.
 */
async function handBackQueued({ ledger, jobs, clock }: WatchParts): Promise<void> {
  for (const entry of ledger.taken()) {
    const { ruleId, path, jobId } = entry;
    const job = jobId === null ? undefined : jobs.get(jobId);
    if (!job || job.assetId !== null || job.endedAt !== null || entry.standing?.why !== 'restored') continue;
    const now = clock.now();
    // Change the ledger first, so that the job's end changes nothing.
    ledger.change(ruleId, path, { state: 'waits-for-retry', endedAt: now, retryAt: now });
    await jobs.act(job.id, 'cancel');
    await jobs.act(job.id, 'remove');
  }
}
