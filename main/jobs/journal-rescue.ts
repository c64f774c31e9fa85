import { existsSync, renameSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import type { z } from 'zod';
import { TileliftError, toErrorRecord } from '../errors.ts';
import type { JobEvent } from './events.ts';
import { createJournal, openDatabase, openJournal } from './journal.ts';
import type { JobRecord, Journal } from './journal-model.ts';
import { eventRow, jobRow } from './journal-rows.ts';
import { isDamage, isSqliteError } from './sqlite-errors.ts';
import { firstState, isEnded, next } from './state.ts';

export interface OpenedJournal {
  readonly journal: Journal;
  /** `journal-damaged` when the journal that was there had to be set aside; null otherwise. */
  readonly damage: TileliftError | null;
}

/**
 * Opens the journal and looks whether it is sound. One that is not is kept beside the new one under another name, and what can be read of its jobs is
 * taken over: ended ones as they were, unfinished ones as failed, since which of their parts arrived can't be trusted.
 *
 * @param now ms since the epoch
 * @throws TileliftError `journal-unusable` where the file can't be opened at all, or a later version wrote it
 */
export function openJournalOrRescue(path: string, now: number): OpenedJournal {
  try {
    return { journal: openSound(path), damage: null };
  } catch (cause) {
    if (!(cause instanceof Damage)) throw new TileliftError('journal-unusable', { subject: path, cause });
    const aside = setAside(path, now);
    const damage = new TileliftError('journal-damaged', { subject: aside, cause });
    const journal = openJournal(path);
    for (const { record, events } of salvage(aside)) takeOver(journal, record, events, damage, now);
    return { journal, damage };
  }
}

class Damage extends Error {
  override readonly name = 'Damage';
}

function openSound(path: string): Journal {
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
    return journal;
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

interface Salvaged {
  readonly record: JobRecord;
  readonly events: readonly JobEvent[];
}

function salvage(path: string): readonly Salvaged[] {
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(path, { readOnly: true });
  } catch {
    // Not even opened: there is nothing to be had, which the person is told by what is missing from the list.
    return [];
  }
  const records = readableRows(database, 'jobs', 'rowid')
    .filter((row) => row.removed !== 1)
    .flatMap((row) => sense(jobRow, { accept_forecast: 0, ...row }));
  const events = Map.groupBy(readableRows(database, 'events', 'seq'), (row) => String(row.job_id));
  database.close();
  return records.map((record) => ({
    record,
    events: (events.get(record.id) ?? []).flatMap((row) => sense(eventRow, row)),
  }));
}

type Row = Readonly<Record<string, SQLOutputValue>>;

/** Row by row from both ends, each way as far as it goes: a bad page in the middle takes only its own rows along. */
function readableRows(database: DatabaseSync, table: string, key: string): readonly Row[] {
  const rows = new Map<number, Row>();
  for (const order of ['ASC', 'DESC']) {
    try {
      const all = database.prepare(
        `SELECT ${key} AS place, * FROM ${table} NOT INDEXED ORDER BY ${key} ${order}`,
      );
      for (const row of all.iterate()) {
        const place = Number(row.place);
        if (rows.has(place)) break;
        rows.set(place, row);
      }
    } catch {
      // As far as it goes.
    }
  }
  return [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
}

/** The row, or nothing where it makes no sense. */
function sense<T>(schema: z.ZodType<T>, row: Row): T[] {
  try {
    return [schema.parse(row)];
  } catch {
    return [];
  }
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
