import { existsSync, renameSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { TileliftError, toErrorRecord } from '../../errors.ts';
import type { JobEvent } from '../events.ts';
import { firstState, goesOnAlone, isEnded, next } from '../state.ts';
import { isDamage, openDatabase } from './database.ts';
import { createJournal } from './journal.ts';
import { holdJournal } from './journal-hold.ts';
import type { Journal, WholeJob } from './journal-model.ts';
import { LaterVersion, UnreleasedVersion } from './journal-version.ts';
import { openDamaged, salvageJobs, saveWatchTables } from './salvage.ts';
import { setUnreadableAside, type UnreadableRows } from './set-aside-jobs.ts';

interface OpenedJournal {
  /** Closing it gives up the hold on it, too. */
  readonly journal: Journal;
  /**
   * The journal's database: others may keep there what must share its transactions. The journal closes it.
   */
  readonly database: DatabaseSync;
  /** `journal-damaged` when the journal that was there had to be set aside; null otherwise. */
  readonly damage: TileliftError | null;
  /**
   * False when rows of what watched folders had taken are lost: whoever continued would take those sources
   * twice.
   */
  readonly ledgerIsWhole: boolean;
  /** What was left out of a journal that is sound otherwise. */
  readonly unreadable: UnreadableRows;
}

/**
 * Opens the journal, holds it against every other process, and looks whether it is sound. One that is not is
 * kept beside the new one under another name, and what can be read of it is taken over: ended jobs as they
 * were, those whose bytes are all in storage to continue, other unfinished ones as failed, since which of
 * their parts arrived can't be trusted, and what watched folders keep. Single rows that make no sense concern
 * their own job alone.
 *
 * @param now ms since the epoch
 * @throws TileliftError `journal-held` by another process, `journal-newer` where a later version wrote it,
 *   `journal-unusable` where it can't be opened at all; `journal-full`
 */
export function openJournalOrRescue(path: string, now: number): OpenedJournal {
  const release = hold(path, now);
  try {
    const opened = openOrRescue(path, now);
    return { ...opened, journal: releasing(opened.journal, release) };
  } catch (error) {
    release();
    throw error;
  }
}

function hold(path: string, now: number): () => void {
  try {
    return holdJournal(path, now);
  } catch (cause) {
    throw cause instanceof TileliftError
      ? cause
      : new TileliftError('journal-unusable', { subject: path, cause });
  }
}

function releasing(journal: Journal, release: () => void): Journal {
  const close = () => {
    try {
      journal.close();
    } finally {
      release();
    }
  };
  return { ...journal, close };
}

function openOrRescue(path: string, now: number): OpenedJournal {
  try {
    return { ...openSound(path, now), damage: null, ledgerIsWhole: true };
  } catch (cause) {
    if (cause instanceof Damage) return rescue(path, cause, now);
    if (cause instanceof TileliftError) throw cause;
    const code = cause instanceof LaterVersion ? 'journal-newer' : 'journal-unusable';
    throw new TileliftError(code, { subject: path, cause });
  }
}

function rescue(path: string, cause: Damage, now: number): OpenedJournal {
  const aside = setAside(path, now);
  const damage = new TileliftError('journal-damaged', { subject: aside, cause });
  const database = openNew(path);
  const journal = createJournal(database, path);
  const damaged = openDamaged(aside);
  const rest = { journal, database, damage, unreadable: { jobs: [], laterKinds: [] } };
  if (!damaged) return { ...rest, ledgerIsWhole: false };
  try {
    for (const { record, events } of salvageJobs(damaged)) takeOver(journal, record, events, damage, now);
    return { ...rest, ledgerIsWhole: saveWatchTables(damaged, database, path) };
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

function openSound(path: string, now: number): Pick<OpenedJournal, 'journal' | 'database' | 'unreadable'> {
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
    const unreadable = setUnreadableAside(database, path, now);
    return { journal: createJournal(database, path), database, unreadable };
  } catch (cause) {
    database.close();
    throw damageIn(cause);
  }
}

/** What SQLite blames on the disk or on another process is no damage. */
function damageIn(thrown: unknown): unknown {
  if (thrown instanceof Damage) return thrown;
  const cause = thrown instanceof TileliftError ? thrown.cause : thrown;
  return isDamage(cause) ? new Damage('pages or tables can’t be read', { cause }) : thrown;
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
  record: WholeJob,
  events: readonly JobEvent[],
  damage: TileliftError,
  now: number,
): void {
  journal.addJob(record);
  for (const event of events) journal.append(record.id, event);
  const state = events.reduce(next, firstState);
  if (isEnded(state) || goesOnAlone(state)) return;
  if (state.kind === 'paused') journal.append(record.id, { kind: 'resumed', at: now });
  journal.append(record.id, { kind: 'failed', at: now, error: toErrorRecord(damage) });
}
