import { existsSync, renameSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { TileliftError, toErrorRecord } from '../errors.ts';
import { openDatabase } from './database.ts';
import type { JobEvent } from './events.ts';
import { createJournal } from './journal.ts';
import type { JobRecord, Journal } from './journal-model.ts';
import { openDamaged, salvageJobs, saveWatchTables } from './salvage.ts';
import { isDamage, isSqliteError } from './sqlite-errors.ts';
import { firstState, isEnded, next } from './state.ts';

export interface OpenedJournal {
  readonly journal: Journal;
  /** What the journal is in: others may keep there what must be in one transaction with it. The journal closes it. */
  readonly database: DatabaseSync;
  /** `journal-damaged` when the journal that was there had to be set aside; null otherwise. */
  readonly damage: TileliftError | null;
  /** False when rows of what watched folders had taken are lost: whoever went on would take those sources twice. */
  readonly ledgerIsWhole: boolean;
}

/**
 * Opens the journal and looks whether it is sound. One that is not is kept beside the new one under another name, and what can be read of it is taken
 * over: ended jobs as they were, unfinished ones as failed, since which of their parts arrived can't be trusted, and what watched folders keep.
 *
 * @param now ms since the epoch
 * @throws TileliftError `journal-unusable` where the file can't be opened at all, or a later version wrote it
 */
export function openJournalOrRescue(path: string, now: number): OpenedJournal {
  try {
    return { ...openSound(path), damage: null, ledgerIsWhole: true };
  } catch (cause) {
    if (!(cause instanceof Damage)) throw new TileliftError('journal-unusable', { subject: path, cause });
    return rescue(path, cause, now);
  }
}

function rescue(path: string, cause: Damage, now: number): OpenedJournal {
  const aside = setAside(path, now);
  const damage = new TileliftError('journal-damaged', { subject: aside, cause });
  const database = openNew(path);
  const journal = createJournal(database, path);
  const damaged = openDamaged(aside);
  if (!damaged) return { journal, database, damage, ledgerIsWhole: false };
  try {
    for (const { record, events } of salvageJobs(damaged)) takeOver(journal, record, events, damage, now);
    return { journal, database, damage, ledgerIsWhole: saveWatchTables(damaged, database, path) };
  } catch (error) {
    database.close();
    throw error;
  } finally {
    damaged.close();
  }
}

function openNew(path: string): DatabaseSync {
  try {
    return openDatabase(path);
  } catch (cause) {
    throw new TileliftError('journal-unusable', { subject: path, cause });
  }
}

class Damage extends Error {
  override readonly name = 'Damage';
}

function openSound(path: string): Pick<OpenedJournal, 'journal' | 'database'> {
  let database: DatabaseSync;
  try {
    database = openDatabase(path);
  } catch (cause) {
    throw isDamage(cause) ? new Damage('the file is no sound database', { cause }) : cause;
  }
  try {
    const answers = database.prepare('PRAGMA quick_check(1)').all();
    const verdict = String(answers[0]?.quick_check);
    if (verdict !== 'ok') throw new Damage(verdict);
    const journal = createJournal(database, path);
    for (const { id } of journal.jobs()) journal.events(id);
    return { journal, database };
  } catch (cause) {
    database.close();
    throw damageIn(cause);
  }
}

/** What SQLite blames on the disk or on another process is no damage; rows that make no sense are. */
function damageIn(thrown: unknown): unknown {
  if (thrown instanceof Damage) return thrown;
  const cause = thrown instanceof TileliftError ? thrown.cause : thrown;
  if (isSqliteError(cause) && !isDamage(cause)) return cause;
  return new Damage('rows can’t be read', { cause });
}

/** The log of changes goes first: left behind, it would be taken for the new journal's. */
function setAside(path: string, now: number): string {
  const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-');
  const stem = `${path.replace(/\.db$/, '')}-damaged-${stamp}`;
  let aside = `${stem}.db`;
  for (let count = 2; existsSync(aside); count++) aside = `${stem}-${count}.db`;
  for (const suffix of ['-wal', '-shm', '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  return aside;
}

function takeOver(
  journal: Journal,
  record: JobRecord,
  events: readonly JobEvent[],
  damage: TileliftError,
  now: number,
): void {
  journal.addJob(record);
  for (const event of events) journal.append(record.id, event);
  const state = events.reduce(next, firstState);
  if (isEnded(state)) return;
  if (state.kind === 'paused') journal.append(record.id, { kind: 'resumed', at: now });
  journal.append(record.id, { kind: 'failed', at: now, error: toErrorRecord(damage) });
}
