import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { z } from 'zod';
import { TileliftError } from '../../errors.ts';
import { isCurrent, migrate, refuseOtherVersions } from './journal-version.ts';

/** Another process that holds the file for longer than this holds it for good. */
const busyMs = 5_000;

/** What is left of the log of changes after it was taken over into the database, bytes. */
const maxLogBytes = 4_000_000;

/**
 * `auto_vacuum`, which must precede the first table, lets free pages be given back to the disk. `fullfsync`:
 * on macOS a sync alone may stop in the drive's own memory; elsewhere it changes nothing.
 */
const durable = `
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  PRAGMA checkpoint_fullfsync = ON;
  PRAGMA foreign_keys = ON;
  PRAGMA journal_size_limit = ${maxLogBytes};
`;

/** With the newest schema, and every transaction on disk before it returns. Throws SQLite's own errors. */
export function openDatabase(path: string): DatabaseSync {
  // SQLite would let everyone read it; what it puts beside it later has the same mode.
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: busyMs });
  try {
    // First of all: whether it may be touched.
    refuseOtherVersions(database);
    database.exec(durable);
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * To read what another process may be working on, holding nobody up. Null where there is nothing of this
 * version to read: it has to be opened by whoever may change it.
 */
export function openToRead(path: string): DatabaseSync | null {
  if (!existsSync(path)) return null;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: busyMs });
    if (isCurrent(database)) return database;
  } catch {
    // Whoever opens it to work on it says what is wrong with it.
  }
  database?.close();
  return null;
}

/** SQL over an open database. Whatever goes wrong is thrown as `journal-full` or `journal-unusable`. */
export interface Queries {
  /** Runs a statement inside a transaction; gives how many rows it changed. */
  run(text: string, ...values: SQLInputValue[]): number;
  /** Every row, checked. */
  read<T>(schema: z.ZodType<T>, text: string, ...values: SQLInputValue[]): T[];
  /** Nothing of it stays when it throws. Inside another transaction it is part of that one. */
  transaction(work: () => void): void;
  /**
   * Its transactions are in their order with all others, and on the disk with the next one outside at the
   * latest: a power cut before that takes back the last of them. Not inside a transaction.
   */
  unhurried(work: () => void): void;
  guard<T>(work: () => T): T;
}

/** `path`: the database's name for people. */
export function createQueries(database: DatabaseSync, path: string): Queries {
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      if (cause instanceof TileliftError) throw cause;
      const code = isDiskFull(cause) ? 'journal-full' : 'journal-unusable';
      throw new TileliftError(code, { subject: path, cause });
    }
  };
  const sql = prepareOnce(database);
  return {
    run: (text, ...values) => Number(sql(text).run(...values).changes),
    read: (schema, text, ...values) =>
      guard(() =>
        sql(text)
          .all(...values)
          .map((row) => schema.parse(row)),
      ),
    transaction: (work) =>
      guard(() => {
        if (database.isTransaction) return work();
        database.exec('BEGIN IMMEDIATE');
        try {
          work();
          database.exec('COMMIT');
        } catch (error) {
          if (database.isTransaction) database.exec('ROLLBACK');
          throw error;
        }
      }),
    // sqlite.org/pragma.html#pragma_synchronous: in WAL mode NORMAL leaves the sync to the next that wants
    // one.
    unhurried: (work) =>
      guard(() => {
        database.exec('PRAGMA synchronous = NORMAL');
        try {
          work();
        } finally {
          database.exec('PRAGMA synchronous = FULL');
        }
      }),
    guard,
  };
}

/** Statements by their text, each prepared once. */
function prepareOnce(database: DatabaseSync) {
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  return (text: string) => {
    const known = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, known);
    return known;
  };
}

/** What SQLite's result codes mean here (sqlite.org/rescode.html). The low byte is the primary code. */
const sqlError = 1;
const busy = 5;
const corrupt = 11;
const full = 13;
const constraint = 19;
const notADatabase = 26;

/** The disk, or whatever limits it, has no room for what was to be written. */
function isDiskFull(thrown: unknown): boolean {
  return primaryCode(thrown) === full;
}

/** Another connection holds the lock that is wanted. */
export function isBusy(thrown: unknown): boolean {
  return primaryCode(thrown) === busy;
}

/** The file can be read, but what it holds is no sound database, or lacks tables that its version has. */
export function isDamage(thrown: unknown): boolean {
  const code = primaryCode(thrown);
  return code === corrupt || code === notADatabase || code === sqlError;
}

/** A row that its table does not take: a type, a check, a key that is there already. */
export function isRefusal(thrown: unknown): boolean {
  return primaryCode(thrown) === constraint;
}

function primaryCode(thrown: unknown): number | null {
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number') return null;
  return thrown.errcode & 0xff;
}
