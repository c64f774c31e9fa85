import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { hasCode } from '../../errno.ts';
import { parseJson } from '../../service/answer.ts';
import { writeWhole } from '../../whole-file.ts';

const ageSchema = z.object({ version: z.literal(1), sources: z.number().int().nonnegative() });

interface JournalAgeOptions {
  readonly journalPath: string;
  /** How many sources the journal has taken so far. */
  readonly age: () => number;
  /**
   * The journal has taken fewer than it had by then: it was put back from a backup. Afterwards it is to be as
   * old as that, so that one backup is reported once.
   */
  readonly onOlder: (before: number) => void;
}

/**
 * A counter next to the journal: how many sources it had taken when it last took one. It is compared before
 * anything is written, and never gets ahead of the journal. A backup of both files can't be noticed.
 */
export class JournalAge {
  readonly #options: JournalAgeOptions;
  readonly #path: string;
  /** Null until it was compared. */
  #written: number | null = null;
  /** Ends with the last comparison; never rejects. */
  #work: Promise<void> = Promise.resolve();

  constructor(options: JournalAgeOptions) {
    this.#options = options;
    this.#path = join(dirname(options.journalPath), 'journal-age.json');
  }

  /** One call after the other. Throws the system's own errors; the next call tries again. */
  async meet(): Promise<void> {
    if (this.#written === this.#options.age()) return;
    const work = this.#work.then(() => this.#compare());
    this.#work = work.catch(() => {});
    await work;
  }

  async #compare(): Promise<void> {
    const { age, onOlder } = this.#options;
    if (this.#written === null) {
      const before = await this.#read();
      if (before !== null && before > age()) onOlder(before);
      // Where nothing was ever taken no trace is left.
      else if (before === null && age() === 0) this.#written = 0;
    }
    // In the journal already, so that a kill leaves an age that is too low rather than too high.
    const now = age();
    if (this.#written === now) return;
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    await writeWhole(this.#path, JSON.stringify({ version: 1, sources: now }), { mode: 0o600 });
    this.#written = now;
  }

  /** Null where nothing was kept, or it makes no sense. */
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
