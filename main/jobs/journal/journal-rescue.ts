import { existsSync, renameSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { TileliftError, toErrorRecord } from '../../errors.ts';
import type { JobEvent } from '../events.ts';
import { firstState, isEnded, needsOnlyAsset, nextState } from '../state.ts';
import { isDamage, openDatabase } from './database.ts';
import { createJournal } from './journal.ts';
import { holdJournal } from './journal-hold.ts';
import type { Journal, WholeJob } from './journal-model.ts';
import { LaterVersion, UnreleasedVersion } from './journal-version.ts';
import { openDamaged, salvageJobs, saveWatchTables } from './salvage.ts';
import { setUnreadableAside, type UnreadableRows } from './set-aside-jobs.ts';

interface OpenedJournal {
  /** Closing also releases the hold. */
  readonly journal: Journal;
  /** Shared with tables that need the same transactions. */
  readonly database: DatabaseSync;
  /** `journal-damaged` if the journal was set aside. */
  readonly damage: TileliftError | null;
  /** False if ledger rows are lost: watched folders would take those sources twice. */
  readonly ledgerIsWhole: boolean;
  readonly unreadable: UnreadableRows;
}

/**
 * Opens, holds and checks the journal. A damaged one is renamed and its readable content copied: ended jobs;
 * uploaded ones to continue; others as failed, since their confirmed parts can't be trusted; and watched
 * folders' tables.
 *
 * @throws TileliftError `journal-held` by another process, `journal-newer` from a later version,
 * `journal-unusable`, `journal-full`
 */
export function openJournalOrRescue(path: string, nowMs: number): OpenedJournal {
  const release = lockJournal(path, nowMs);
  try {
    const openedJournal = openOrRescue(path, nowMs);
    return { ...openedJournal, journal: releasing(openedJournal.journal, release) };
  } catch (error) {
    release();
    throw error;
  }
}

function lockJournal(path: string, nowMs: number): () => void {
  try {
    return holdJournal(path, nowMs);
  } catch (cause) {
    throw cause instanceof TileliftError
      ? cause
      : new TileliftError('journal-unusable', { subject: path, cause });
  }
}

function releasing(journal: Journal, release: () => void): Journal {
  const closeAndRelease = () => {
    try {
      journal.close();
    } finally {
      release();
    }
  };
  return { ...journal, close: closeAndRelease };
}

function openOrRescue(path: string, nowMs: number): OpenedJournal {
  try {
    return { ...openSound(path, nowMs), damage: null, ledgerIsWhole: true };
  } catch (cause) {
    if (cause instanceof Damage) return rescue(path, cause, nowMs);
    if (cause instanceof TileliftError) throw cause;
    const code = cause instanceof LaterVersion ? 'journal-newer' : 'journal-unusable';
    throw new TileliftError(code, { subject: path, cause });
  }
}

function rescue(path: string, cause: Damage, nowMs: number): OpenedJournal {
  const damagedFile = setAside(path, nowMs);
  const damage = new TileliftError('journal-damaged', { subject: damagedFile, cause });
  const database = openNew(path);
  const journal = createJournal(database, path);
  const damagedDatabase = openDamaged(damagedFile);
  const openedJournal = { journal, database, damage, unreadable: { jobs: [], laterKinds: [] } };
  if (!damagedDatabase) return { ...openedJournal, ledgerIsWhole: false };
  try {
    for (const { record, events } of salvageJobs(damagedDatabase))
      takeOver(journal, record, events, damage, nowMs);
    return { ...openedJournal, ledgerIsWhole: saveWatchTables(damagedDatabase, database, path) };
  } catch (error) {
    database.close();
    throw error;
  } finally {
    damagedDatabase.close();
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

function openSound(path: string, nowMs: number): Pick<OpenedJournal, 'journal' | 'database' | 'unreadable'> {
  let database: DatabaseSync;
  try {
    database = openDatabase(path);
  } catch (cause) {
    throw isDamage(cause) || cause instanceof UnreleasedVersion
      ? new Damage('the file is no sound journal', { cause })
      : cause;
  }
  try {
    const answers = database.prepare('PRAGMA quick_check(1)').all();
    const verdict = String(answers[0]?.quick_check);
    if (verdict !== 'ok') throw new Damage(verdict);
    const unreadableRows = setUnreadableAside(database, path, nowMs);
    return { journal: createJournal(database, path), database, unreadable: unreadableRows };
  } catch (cause) {
    database.close();
    throw damageIn(cause);
  }
}

/** Errors of the disk or other processes aren't damage. */
function damageIn(error: unknown): unknown {
  if (error instanceof Damage) return error;
  const cause = error instanceof TileliftError ? error.cause : error;
  return isDamage(cause) ? new Damage('pages or tables can’t be read', { cause }) : error;
}

/** Moves the write-ahead log first: SQLite would apply it to the new journal. */
function setAside(path: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
  const stem = `${path.replace(/\.db$/, '')}-damaged-${stamp}`;
  let unusedPath = `${stem}.db`;
  for (let count = 2; existsSync(unusedPath); count++) unusedPath = `${stem}-${count}.db`;
  for (const suffix of ['-wal', '-shm', '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, unusedPath + suffix);
  }
  return unusedPath;
}

function takeOver(
  journal: Journal,
  record: WholeJob,
  events: readonly JobEvent[],
  damage: TileliftError,
  nowMs: number,
): void {
  journal.addJob(record);
  for (const event of events) journal.append(record.id, event);
  const state = events.reduce(nextState, firstState);
  if (isEnded(state) || needsOnlyAsset(state)) return;
  if (state.kind === 'paused') journal.append(record.id, { kind: 'resumed', at: nowMs });
  journal.append(record.id, { kind: 'failed', at: nowMs, error: toErrorRecord(damage) });
}
