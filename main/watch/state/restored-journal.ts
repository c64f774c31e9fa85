import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from '../../atomic-file.ts';
import { hasCode } from '../../errno.ts';
import { toTileliftError } from '../../errors.ts';
import { parseJson } from '../../service/answer.ts';
import type { WatchRule } from '../model/rule.ts';
import { WorkLine } from '../model/scheduling.ts';
import { type LedgerPorts, withdrawJob, writeActivity } from './ports.ts';

interface RestoredPorts extends LedgerPorts {
  readonly rules: () => readonly WatchRule[];
}

interface RestoredOptions {
  readonly journalPath?: string | undefined;
  /** False: rows were lost, and the user knows. */
  readonly ledgerIsWhole: boolean;
}

/**
 * Detects a journal restored from a backup. Unknown sources may have become assets since, so they are held
 * until the user decides.
 */
export class RestoredJournal {
  readonly #parts: RestoredPorts;
  readonly #options: RestoredOptions;
  readonly #rescan: (ruleId: string) => void;
  readonly #age: JournalAge | null;
  /** Also done after a normal start, because a kill may have interrupted it. */
  #isHandedBack = false;
  #isWarned = false;

  constructor(parts: RestoredPorts, options: RestoredOptions, rescan: (ruleId: string) => void) {
    this.#rescan = rescan;
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
      this.#rescan(id);
      writeActivity(this.#parts, id, { key: 'sources.restored' });
    }
    log.warn({ rules: rules.length }, 'the journal is older than it was');
  }
}

/**
 * Holds sources whose asset a restored journal doesn't know. Cancels their jobs, so that no second asset is
 * created; a job with an asset continues.
 */
async function handBackQueued(parts: RestoredPorts): Promise<void> {
  for (const entry of parts.ledger.takenEntries()) {
    const job = entry.jobId === null ? undefined : parts.jobs.get(entry.jobId);
    if (!job || job.assetId !== null || job.endedAt !== null || entry.standing?.why !== 'restored') continue;
    await withdrawJob(entry, job, parts);
  }
}

const ageSchema = z.object({ version: z.literal(1), sources: z.number().int().nonnegative() });

interface JournalAgeOptions {
  readonly journalPath: string;
  readonly age: () => number;
  /** The journal is from a backup. Raise its age to `recordedAge`, so that each is only reported once. */
  readonly onOlder: (recordedAge: number) => void;
}

/**
 * The number of uploaded sources, stored next to the journal and never ahead of it. A backup of both files
 * can't be detected.
 */
export class JournalAge {
  readonly #options: JournalAgeOptions;
  readonly #path: string;
  #written: number | null = null;
  readonly #line = new WorkLine();

  constructor(options: JournalAgeOptions) {
    this.#options = options;
    this.#path = join(dirname(options.journalPath), 'journal-age.json');
  }

  /** Throws the system's errors; the next call tries again. */
  async check(): Promise<void> {
    if (this.#written === this.#options.age()) return;
    await this.#line.run(() => this.#compare());
  }

  async #compare(): Promise<void> {
    const { age, onOlder } = this.#options;
    if (this.#written === null) {
      const recordedAge = await this.#read();
      if (recordedAge !== null && recordedAge > age()) onOlder(recordedAge);
      // Don't create a file if nothing was ever uploaded.
      else if (recordedAge === null && age() === 0) this.#written = 0;
    }
    // After the journal, so that a kill leaves an age that is too low rather than too high.
    const currentAge = age();
    if (this.#written === currentAge) return;
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    await writeFileAtomic(this.#path, JSON.stringify({ version: 1, sources: currentAge }), { mode: 0o600 });
    this.#written = currentAge;
  }

  /** Null if missing or invalid. */
  async #read(): Promise<number | null> {
    try {
      const text = await readFile(this.#path, 'utf8');
      return ageSchema.safeParse(parseJson(text)).data?.sources ?? null;
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM')) return null;
      throw error;
    }
  }
}
