import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Phrase } from '../../../strings/phrase.ts';
import { TileliftError } from '../../errors.ts';
import { isBusy } from './database.ts';

/**
 * Only one process may work on a journal. The hold is a SQLite lock that the system releases with the
 * process; a second file names the holder.
 */

/** A quitting process releases it within this time, ms. */
const patienceMs = 1_000;

/** Keeps locks alive: garbage collection would release them. */
const locks = new Set<DatabaseSync>();

const holder = z.object({ pid: z.number(), host: z.string(), since: z.number() });

/**
 * Holds the journal until the returned function is called or the process ends.
 *
 * @throws TileliftError `journal-held` by another process; SQLite's errors if the lock can't be created
 */
export function holdJournal(path: string, nowMs: number): () => void {
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
    writeFileSync(holderFile, JSON.stringify({ pid: process.pid, host: hostname(), since: nowMs }));
  } catch {
    // The lock works without its description.
  }
  return () => {
    if (!locks.delete(lock)) return;
    rmSync(holderFile, { force: true });
    lock.close();
  };
}

function holderOf(file: string): Phrase {
  try {
    const { pid, host, since: sinceMs } = holder.parse(JSON.parse(readFileSync(file, 'utf8')));
    return { key: 'journal.holder', values: { pid: String(pid), host, since: { time: sinceMs } } };
  } catch {
    return { key: 'journal.someProcess' };
  }
}
