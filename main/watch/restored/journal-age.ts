import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from '../../atomic-file.ts';
import { hasCode } from '../../errno.ts';
import { parseJson } from '../../service/answer.ts';

const ageSchema = z.object({ version: z.literal(1), sources: z.number().int().nonnegative() });

interface JournalAgeOptions {
  readonly journalPath: string;
  readonly age: () => number;
  /** The journal is from a backup. Raise its age to `before`, so that each backup is only reported once. */
  readonly onOlder: (before: number) => void;
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
      // Don't create a file if nothing was ever uploaded.
      else if (before === null && age() === 0) this.#written = 0;
    }
    // After the journal, so that a kill leaves an age that is too low rather than too high.
    const now = age();
    if (this.#written === now) return;
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    await writeFileAtomic(this.#path, JSON.stringify({ version: 1, sources: now }), { mode: 0o600 });
    this.#written = now;
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
