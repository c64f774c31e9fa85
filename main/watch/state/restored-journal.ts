import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from '../../atomic-file.ts';
import { hasCode } from '../../errno.ts';
import { toTileliftError } from '../../errors.ts';
import { parseJson } from '../../service/answer.ts';
import { WorkLine } from '../../work-line.ts';
import { type LedgerPorts, withdrawJob, writeActivity } from './ports.ts';

interface RestoredOptions {
  readonly journalPath?: string | undefined;
  /** False: rows were lost, and the user knows. */
  readonly ledgerIsWhole: boolean;
}

/**
 * Detects a journal restored from a backup by the number of uploaded sources, stored next to the journal and
 * never ahead of it. Unknown sources may have become assets since, so they are held until the user decides. A
 * backup of both files can't be detected.
 */
export class RestoredJournal {
  readonly #parts: LedgerPorts;
  readonly #options: RestoredOptions;
  readonly #rescan: (ruleId: string) => void;
  readonly #agePath: string | null;
  /** As last written; null before. */
  #writtenAge: number | null = null;
  readonly #line = new WorkLine();
  /** Also done after a normal start, because a kill may have interrupted it. */
  #isHandedBack = false;
  #isWarned = false;

  constructor(parts: LedgerPorts, options: RestoredOptions, rescan: (ruleId: string) => void) {
    this.#rescan = rescan;
    this.#parts = parts;
    this.#options = options;
    const { journalPath } = options;
    this.#agePath = journalPath === undefined ? null : join(dirname(journalPath), 'journal-age.json');
  }

  /** Call it before any job continues, and before any upload from a rule's folder. */
  async check(): Promise<void> {
    const path = this.#agePath;
    try {
      if (path !== null && this.#writtenAge !== this.#parts.ledger.journalAge())
        await this.#line.run(() => this.#compareAge(path));
    } catch (error) {
      if (!this.#isWarned)
        this.#parts.log.warn({ error: toTileliftError(error) }, 'the journal’s age could not be kept');
      this.#isWarned = true;
    }
    if (!this.#isHandedBack) await handBackQueued(this.#parts);
    this.#isHandedBack = true;
  }

  async #compareAge(path: string): Promise<void> {
    const { ledger } = this.#parts;
    if (this.#writtenAge === null) {
      const recordedAge = await readAge(path);
      if (recordedAge !== null && recordedAge > ledger.journalAge()) this.#begin(recordedAge);
      // Don't create a file if nothing was ever uploaded.
      else if (recordedAge === null && ledger.journalAge() === 0) this.#writtenAge = 0;
    }
    // After the journal, so that a kill leaves an age that is too low rather than too high.
    const currentAge = ledger.journalAge();
    if (this.#writtenAge === currentAge) return;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFileAtomic(path, JSON.stringify({ version: 1, sources: currentAge }), { mode: 0o600 });
    this.#writtenAge = currentAge;
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
async function handBackQueued(parts: LedgerPorts): Promise<void> {
  for (const entry of parts.ledger.takenEntries()) {
    const job = entry.jobId === null ? undefined : parts.jobs.get(entry.jobId);
    if (!job || job.assetId !== null || job.endedAt !== null || entry.standing?.why !== 'restored') continue;
    await withdrawJob(entry, job, parts);
  }
}

const ageSchema = z.object({ version: z.literal(1), sources: z.number().int().nonnegative() });

/** Null if missing or invalid. */
async function readAge(path: string): Promise<number | null> {
  try {
    return ageSchema.safeParse(parseJson(await readFile(path, 'utf8'))).data?.sources ?? null;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM')) return null;
    throw error;
  }
}
