import { toTileliftError } from '../../errors.ts';
import { type WatchParts, writeActivity } from '../watch-parts.ts';
import { JournalAge } from './journal-age.ts';

interface RestoredOptions {
  /** The journal, next to which its age is kept. Default: nowhere. */
  readonly journalPath?: string | undefined;
  /** False: it is known that rows were lost, and a person has been told of that. */
  readonly ledgerIsWhole: boolean;
}

/**
 * Notices a journal that was put back from a backup, by the counter next to it. What is in the watched
 * folders then, and is not known as it is, may have become assets since: it is held until a person has
 * chosen.
 */
export class Restored {
  readonly #parts: WatchParts;
  readonly #options: RestoredOptions;
  /** Scans the rule's folder as soon as it can, if it is watched. */
  readonly #look: (ruleId: string) => void;
  readonly #age: JournalAge | null;
  /** Also after a start at which nothing was noticed: a kill may have come in between. */
  #isHandedBack = false;
  /** That it could not be kept is logged once. */
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

  /**
   * To be called before any job continues, and whenever the folder of a rule is there, before anything is
   * taken from it.
   */
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
 * Sources that a journal from a backup has before it still, and that may have become assets since: their jobs
 * are given up before they make another one, and the sources are held as the others are. A job that has its
 * asset already continues with it.
 */
async function handBackQueued({ ledger, jobs, clock }: WatchParts): Promise<void> {
  for (const entry of ledger.taken()) {
    const { ruleId, path, jobId } = entry;
    const job = jobId === null ? undefined : jobs.get(jobId);
    if (!job || job.assetId !== null || job.endedAt !== null || entry.standing?.why !== 'restored') continue;
    const now = clock.now();
    // First the ledger: the end of the job is then nobody's business any more.
    ledger.change(ruleId, path, { state: 'waits-for-retry', endedAt: now, retryAt: now });
    await jobs.act(job.id, 'cancel');
    await jobs.act(job.id, 'remove');
  }
}
