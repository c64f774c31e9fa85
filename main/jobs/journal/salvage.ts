import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import type { z } from 'zod';
import type { JobEvent } from '../events.ts';
import { createQueries, isRefusal } from './database.ts';
import type { WholeJob } from './journal-model.ts';
import { eventRow, wholeJobRow } from './journal-rows.ts';
import { watchTables } from './journal-schema.ts';

interface SalvagedJob {
  readonly record: WholeJob;
  readonly events: readonly JobEvent[];
}

/** The missing jobs show the loss. */
export function openDamaged(path: string): DatabaseSync | undefined {
  try {
    return new DatabaseSync(path, { readOnly: true });
  } catch {
    return undefined;
  }
}

/** Returns the readable jobs with their readable events. */
export function salvageJobs(damagedDatabase: DatabaseSync): readonly SalvagedJob[] {
  const records = readableRows(damagedDatabase, 'jobs', ['rowid'])
    .filter((row) => (row.removed ?? 0) === 0)
    .flatMap((row) => sense(wholeJobRow, row));
  const events = Map.groupBy(readableRows(damagedDatabase, 'events', ['seq']), (row) => String(row.job_id));
  return records.map((record) => ({
    record,
    events: (events.get(record.id) ?? [])
      .flatMap((row) => sense(eventRow, row))
      .filter((event) => event !== null),
  }));
}

/**
 * Returns whether the ledger is complete. `soundDatabase`: empty tables of the newest schema. Throws
 * `journal-full` or `journal-unusable`.
 */
export function saveWatchTables(
  damagedDatabase: DatabaseSync,
  soundDatabase: DatabaseSync,
  path: string,
): boolean {
  const intactTables = new Set<string>();
  createQueries(soundDatabase, path).transaction(() => {
    for (const table of watchTables)
      if (copyRows(damagedDatabase, soundDatabase, table)) intactTables.add(table);
  });
  return intactTables.has('ledger') && isSoundTable(damagedDatabase, 'ledger');
}

/** A lost page shows up as a mismatch between table and indexes. */
function isSoundTable(damagedDatabase: DatabaseSync, table: string): boolean {
  try {
    return damagedDatabase.prepare(`PRAGMA integrity_check(${table})`).get()?.integrity_check === 'ok';
  } catch {
    return false;
  }
}

function copyRows(damagedDatabase: DatabaseSync, soundDatabase: DatabaseSync, table: string): boolean {
  const columns = soundDatabase
    .prepare(`PRAGMA table_info(${table})`)
    .all()
    .map(({ name }) => String(name));
  const insert = soundDatabase.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  let refusedRows = 0;
  for (const row of readableRows(damagedDatabase, table, placeColumns(soundDatabase, table))) {
    try {
      insert.run(...columns.map((column) => row[column] ?? null));
    } catch (error) {
      // Malformed rows fail the table's checks.
      if (!isRefusal(error)) throw error;
      refusedRows += 1;
    }
  }
  return refusedRows === 0;
}

type Row = Readonly<Record<string, SQLOutputValue>>;

function placeColumns(soundDatabase: DatabaseSync, table: string): readonly string[] {
  const isWithoutRowid = soundDatabase.prepare(`PRAGMA table_list(${table})`).get()?.wr === 1;
  if (!isWithoutRowid) return ['rowid'];
  const columns = soundDatabase.prepare(`PRAGMA table_info(${table})`).all();
  return columns
    .filter(({ pk }) => Number(pk) > 0)
    .sort((a, b) => Number(a.pk) - Number(b.pk))
    .map(({ name }) => String(name));
}

/** Reads from both ends, so that a bad page only loses its own rows. */
function readableRows(database: DatabaseSync, table: string, key: readonly string[]): readonly Row[] {
  const rows = new Map<string, Row>();
  const backwards = new Map<string, Row>();
  for (const order of ['ASC', 'DESC']) {
    try {
      const statement = database.prepare(
        `SELECT json_array(${key.join(', ')}) AS place, * FROM ${table} NOT INDEXED
         ORDER BY ${key.map((column) => `${column} ${order}`).join(', ')}`,
      );
      for (const row of statement.iterate()) {
        const place = String(row.place);
        if (rows.has(place)) break;
        (order === 'ASC' ? rows : backwards).set(place, row);
      }
    } catch {
      // Keep the rows read before the error.
    }
  }
  return [...rows.values(), ...[...backwards.values()].reverse()];
}

function sense<T>(schema: z.ZodType<T>, row: Row): T[] {
  try {
    return [schema.parse(row)];
  } catch {
    return [];
  }
}
