import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import type { z } from 'zod';
import type { JobEvent } from '../events.ts';
import { createQueries, isRefusal } from './database.ts';
import type { WholeJob } from './journal-model.ts';
import { eventRow, wholeJobRow } from './journal-rows.ts';
import { watchTables } from './journal-schema.ts';

/** What can be read of a damaged journal. */

interface SalvagedJob {
  readonly record: WholeJob;
  /** Those that could be read. */
  readonly events: readonly JobEvent[];
}

/**
 * Undefined where the file can't even be opened: there is nothing to be had, which the person is told by what
 * is missing from the list.
 */
export function openDamaged(path: string): DatabaseSync | undefined {
  try {
    return new DatabaseSync(path, { readOnly: true });
  } catch {
    return undefined;
  }
}

export function salvageJobs(damaged: DatabaseSync): readonly SalvagedJob[] {
  const records = readableRows(damaged, 'jobs', ['rowid'])
    .filter((row) => (row.removed ?? 0) === 0)
    .flatMap((row) => sense(wholeJobRow, row));
  const events = Map.groupBy(readableRows(damaged, 'events', ['seq']), (row) => String(row.job_id));
  return records.map((record) => ({
    record,
    events: (events.get(record.id) ?? [])
      .flatMap((row) => sense(eventRow, row))
      .filter((event) => event !== null),
  }));
}

/**
 * Copies what watched folders keep; true when the ledger lost nothing. `sound` has the newest schema, with
 * nothing in these tables yet; `path` is its name for people. Throws `journal-full` or `journal-unusable`
 * where it can't be written.
 */
export function saveWatchTables(damaged: DatabaseSync, sound: DatabaseSync, path: string): boolean {
  const whole = new Set<string>();
  createQueries(sound, path).transaction(() => {
    for (const table of watchTables) if (copyRows(damaged, sound, table)) whole.add(table);
  });
  return whole.has('ledger') && isSoundTable(damaged, 'ledger');
}

/** Rows that a bad page has lost without an error are missed by the table's indexes, and vice versa. */
function isSoundTable(damaged: DatabaseSync, table: string): boolean {
  try {
    return damaged.prepare(`PRAGMA integrity_check(${table})`).get()?.integrity_check === 'ok';
  } catch {
    return false;
  }
}

/** True when every row that could be read could be written. */
function copyRows(from: DatabaseSync, to: DatabaseSync, table: string): boolean {
  const columns = to
    .prepare(`PRAGMA table_info(${table})`)
    .all()
    .map(({ name }) => String(name));
  const insert = to.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  let refused = 0;
  for (const row of readableRows(from, table, placeColumns(to, table))) {
    try {
      insert.run(...columns.map((column) => row[column] ?? null));
    } catch (error) {
      // What the table's own checks refuse makes no sense.
      if (!isRefusal(error)) throw error;
      refused += 1;
    }
  }
  return refused === 0;
}

type Row = Readonly<Record<string, SQLOutputValue>>;

/** What the rows of a table are in the order of. `sound` has the newest schema. */
function placeColumns(sound: DatabaseSync, table: string): readonly string[] {
  const isWithoutRowid = sound.prepare(`PRAGMA table_list(${table})`).get()?.wr === 1;
  if (!isWithoutRowid) return ['rowid'];
  const columns = sound.prepare(`PRAGMA table_info(${table})`).all();
  return columns
    .filter(({ pk }) => Number(pk) > 0)
    .sort((a, b) => Number(a.pk) - Number(b.pk))
    .map(({ name }) => String(name));
}

/**
 * Row by row from both ends, each way as far as it goes: a bad page in the middle loses only its own rows.
 */
function readableRows(database: DatabaseSync, table: string, key: readonly string[]): readonly Row[] {
  const rows = new Map<string, Row>();
  const backwards = new Map<string, Row>();
  for (const order of ['ASC', 'DESC']) {
    try {
      const all = database.prepare(
        `SELECT json_array(${key.join(', ')}) AS place, * FROM ${table} NOT INDEXED
         ORDER BY ${key.map((column) => `${column} ${order}`).join(', ')}`,
      );
      for (const row of all.iterate()) {
        const place = String(row.place);
        if (rows.has(place)) break;
        (order === 'ASC' ? rows : backwards).set(place, row);
      }
    } catch {
      // As far as it goes.
    }
  }
  return [...rows.values(), ...[...backwards.values()].reverse()];
}

/** The row, or nothing where it makes no sense. */
function sense<T>(schema: z.ZodType<T>, row: Row): T[] {
  try {
    return [schema.parse(row)];
  } catch {
    return [];
  }
}
