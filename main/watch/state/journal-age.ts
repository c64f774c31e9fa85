import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { hasCode } from '../../errno.ts';
import { parseJson } from '../../service/answer.ts';
import { writeWhole } from '../../whole-file.ts';

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
  #work: Promise<void> = Promise.resolve();

  constructor(options: JournalAgeOptions) {
    this.#options = options;
    this.#path = join(dirname(options.journalPath), 'journal-age.json');
  }

  /** Throws the system's errors; the next call tries again. */
  async check(): Promise<void> {
    if (this.#written === this.#options.age()) return;
    const work = this.#work.then(() => this.#compare());
    this.#work = work.catch(() => {});
    await work;
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
    await writeWhole(this.#path, JSON.stringify({ version: 1, sources: currentAge }), { mode: 0o600 });
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
