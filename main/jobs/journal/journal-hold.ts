import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Phrase } from '../../../strings/phrase.ts';
import { TileliftError } from '../../errors.ts';
import { isBusy } from './database.ts';

/**
 * One process at a time works on a journal: two would send everything twice. The hold is a lock of SQLite on
 * a file beside the journal, so that the system itself gives it up with the process, however that ends; who
 * has it stands in a second file.
 */

/** One that is just quitting gives it up within this time, ms. */
const patienceMs = 1_000;

/** The lock ends with its object: it must not depend on who keeps the journal, and for how long. */
const locks = new Set<DatabaseSync>();

const holder = z.object({ pid: z.number(), host: z.string(), since: z.number() });

/**
 * Holds the journal at `path` until the returned function is called or the process ends.
 *
 * @param now ms since the epoch
 * @throws TileliftError `journal-held` when another process has it; SQLite's own errors where the lock can't
 *   be made
 */
export function holdJournal(path: string, now: number): () => void {
  const stem = path.replace(/\.db$/, '');
  const holderFile = `${stem}.holder.json`;
  const lock = new DatabaseSync(`${stem}.lock`, { timeout: patienceMs });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    if (!isBusy(cause)) throw cause;
    throw new TileliftError('journal-held', { subject: holderOf(holderFile), cause });
  }
  locks.add(lock);
  try {
    writeFileSync(holderFile, JSON.stringify({ pid: process.pid, host: hostname(), since: now }));
  } catch {
    // The lock holds anyway; only its words are missing.
  }
  return () => {
    if (!locks.delete(lock)) return;
    rmSync(holderFile, { force: true });
    lock.close();
  };
}

function holderOf(file: string): Phrase {
  try {
    const { pid, host, since } = holder.parse(JSON.parse(readFileSync(file, 'utf8')));
    return { key: 'journal.holder', values: { pid: String(pid), host, since: { time: since } } };
  } catch {
    return { key: 'journal.someProcess' };
  }
}
