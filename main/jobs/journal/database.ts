import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { z } from 'zod';
import { TileliftError } from '../../errors.ts';
import { isCurrent, migrate, refuseOtherVersions } from './journal-version.ts';

const busyMs = 5_000;

/** Write-ahead log after a checkpoint, bytes. */
const maxLogBytes = 4_000_000;

/**
 * `auto_vacuum`, which must precede the first table, returns free pages to the disk. `fullfsync`: on macOS a
 * plain sync may stop in the drive's cache.
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

/** Throws SQLite's own errors. */
export function openDatabase(path: string): DatabaseSync {
  // SQLite would create it world-readable.
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: busyMs });
  try {
    refuseOtherVersions(database);
    database.exec(durable);
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Read-only, without blocking other processes. Null unless it has this version. */
export function openToRead(path: string): DatabaseSync | null {
  if (!existsSync(path)) return null;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: busyMs });
    if (isCurrent(database)) return database;
  } catch {}
  database?.close();
  return null;
}

/** Errors become `journal-full` or `journal-unusable`. */
export interface Queries {
  /** Returns the number of changed rows. */
  run(text: string, ...values: SQLInputValue[]): number;
  read<T>(schema: z.ZodType<T>, text: string, ...values: SQLInputValue[]): T[];
  /** Rolls back if `work` throws. Joins an enclosing transaction. */
  transaction(work: () => void): void;
  /** Skips the sync: a power cut may undo the last of these transactions. Not inside a transaction. */
  lowPriority(work: () => void): void;
  guard<T>(work: () => T): T;
}

/** `path`: shown in errors. */
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
    // In WAL mode, NORMAL leaves the sync to the next transaction
    // (sqlite.org/pragma.html#pragma_synchronous).
    lowPriority: (work) =>
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

function prepareOnce(database: DatabaseSync) {
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  return (text: string) => {
    const statement = statements.get(text) ?? database.prepare(text);
    statements.set(text, statement);
    return statement;
  };
}

/** SQLite's primary result codes (sqlite.org/rescode.html). */
const sqlError = 1;
const busy = 5;
const corrupt = 11;
const diskFullCode = 13;
const constraint = 19;
const notADatabase = 26;

/** No space on the disk or within a quota. */
function isDiskFull(error: unknown): boolean {
  return primaryCode(error) === diskFullCode;
}

/** Another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === busy;
}

/** The file is damaged or lacks tables of its version. */
export function isDamage(error: unknown): boolean {
  const code = primaryCode(error);
  return code === corrupt || code === notADatabase || code === sqlError;
}

/** The table rejected a row: type, check or duplicate key. */
export function isRefusal(error: unknown): boolean {
  return primaryCode(error) === constraint;
}

function primaryCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode & 0xff;
}
