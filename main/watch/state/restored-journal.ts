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
  #isWarned = false;

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
            onOlder: (recordedAge) => this.#begin(recordedAge),
          });
  }

  /** Call it before any job continues, and before any upload from a rule's folder. */
  async check(): Promise<void> {
    try {
      await this.#age?.check();
    } catch (error) {
      if (!this.#isWarned)
        this.#parts.log.warn({ error: toTileliftError(error) }, 'the journal’s age could not be kept');
      this.#isWarned = true;
    }
    if (!this.#isHandedBack) await handBackQueued(this.#parts);
    this.#isHandedBack = true;
  }

  #begin(recordedAge: number): void {
    const { ledger, clock, log, rules: currentRules } = this.#parts;
    const rules = this.#options.ledgerIsWhole ? currentRules() : [];
    this.#isHandedBack = false;
    ledger.beginRestored(
      rules.map(({ id }) => id),
      recordedAge,
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
  for (const entry of ledger.takenEntries()) {
    const { ruleId, path, jobId } = entry;
    const job = jobId === null ? undefined : jobs.get(jobId);
    if (!job || job.assetId !== null || job.endedAt !== null || entry.standing?.why !== 'restored') continue;
    const currentTime = clock.now();
    // Change the ledger first, so that the job's end changes nothing.
    ledger.change(ruleId, path, { state: 'waits-for-retry', endedAt: currentTime, retryAt: currentTime });
    await jobs.act(job.id, 'cancel');
    await jobs.act(job.id, 'remove');
  }
}
