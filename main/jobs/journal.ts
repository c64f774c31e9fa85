import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { z } from 'zod';
import { TileliftError } from '../errors.ts';
import type { Journal } from './journal-model.ts';
import { eventRow, fileRow, jobRow, partRow, speedRow, totalsRow, uploadRow } from './journal-rows.ts';
import { migrate } from './journal-schema.ts';
import { isDiskFull } from './sqlite-errors.ts';

/** Another process that holds the file for longer than this holds it for good. */
const busyMs = 5_000;
/** Files read, or rows cleared away, at once: a few milliseconds' worth. */
const page = 500;
/** Uploads from which the speed of a line is told. */
const rememberedSpeeds = 5;

/** Opens the journal at `path`, making it when missing. Throws `journal-unusable`. */
export function openJournal(path: string): Journal {
  try {
    return createJournal(openDatabase(path), path);
  } catch (cause) {
    throw new TileliftError('journal-unusable', { subject: path, cause });
  }
}

/** With the newest schema, and every transaction on the disk before it returns. Throws SQLite's own errors. */
export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyMs });
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The journal over an open database, `path` being its name for people. */
export function createJournal(database: DatabaseSync, path: string): Journal {
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      const code = isDiskFull(cause) ? 'journal-full' : 'journal-unusable';
      throw new TileliftError(code, { subject: path, cause });
    }
  };
  const sql = prepareOnce(database);
  const run = (text: string, ...values: SQLInputValue[]) => sql(text).run(...values);
  /** Nothing of it stays when it throws. */
  const transaction = (work: () => void) =>
    guard(() => {
      database.exec('BEGIN IMMEDIATE');
      try {
        work();
        database.exec('COMMIT');
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    });
  const read = <T>(schema: z.ZodType<T>, text: string, ...values: SQLInputValue[]): T[] =>
    guard(() =>
      sql(text)
        .all(...values)
        .map((row) => schema.parse(row)),
    );
  /** A page of them, parts included; true while there are more. */
  const deleteFiles = (jobId: string): boolean => {
    let deleted = 0;
    transaction(() => {
      const { changes } = run(
        'DELETE FROM files WHERE id IN (SELECT id FROM files WHERE job_id = ? LIMIT ?)',
        jobId,
        page,
      );
      deleted = Number(changes);
    });
    return deleted === page;
  };

  return {
    jobs: () => read(jobRow, 'SELECT * FROM jobs WHERE removed = 0 ORDER BY rowid'),

    addJob: ({ id, accountId, paths, body, createdAt, acceptForecast }) =>
      transaction(() =>
        run(
          'INSERT INTO jobs (id, account_id, paths, body, created_at, accept_forecast) VALUES (?, ?, ?, ?, ?, ?)',
          id,
          accountId,
          JSON.stringify(paths),
          JSON.stringify(body),
          createdAt,
          acceptForecast ? 1 : 0,
        ),
      ),

    removeJob: (id) => transaction(() => run('UPDATE jobs SET removed = 1 WHERE id = ?', id)),

    clearRemoved: () => {
      const [row] = guard(() => sql('SELECT id FROM jobs WHERE removed = 1 LIMIT 1').all());
      if (row === undefined) return false;
      const id = String(row.id);
      if (!deleteFiles(id)) transaction(() => run('DELETE FROM jobs WHERE id = ?', id));
      return true;
    },

    events: (jobId) => read(eventRow, 'SELECT event FROM events WHERE job_id = ? ORDER BY seq', jobId),

    append: (jobId, event) =>
      transaction(() =>
        run('INSERT INTO events (job_id, event) VALUES (?, ?)', jobId, JSON.stringify(event)),
      ),

    dropFiles: deleteFiles,

    addFiles: (jobId, files) =>
      transaction(() => {
        const insert = sql(
          'INSERT INTO files (job_id, path, key, size, mtime_ms, part_size, part_count) VALUES (?, ?, ?, ?, ?, ?, ?)',
        );
        for (const { path, key, size, mtimeMs, plan } of files) {
          insert.run(jobId, path, key, size, mtimeMs, plan.partSize, plan.partCount);
        }
      }),

    unfinishedFiles: (jobId, afterId = 0) => {
      const files = read(
        fileRow,
        'SELECT * FROM files WHERE job_id = ? AND done = 0 AND id > ? ORDER BY id LIMIT ?',
        jobId,
        afterId,
        page,
      );
      const parts = Map.groupBy(
        read(
          partRow,
          `SELECT p.* FROM files f JOIN parts p ON p.file_id = f.id
           WHERE f.job_id = ? AND f.done = 0 AND f.id > ? AND f.id <= ?`,
          jobId,
          afterId,
          files.at(-1)?.id ?? 0,
        ),
        (part) => part.file_id,
      );
      return files.map((file) => ({
        ...file,
        parts: (parts.get(file.id) ?? []).map(({ number, size, etag }) => ({ number, size, etag })),
      }));
    },

    totals: (jobId) => {
      const [row] = read(
        totalsRow,
        `SELECT
           coalesce((SELECT sum(size) FROM files WHERE job_id = ?1 AND done = 1), 0) + coalesce(sum(p.size), 0) AS bytes,
           coalesce((SELECT sum(part_count) FROM files WHERE job_id = ?1 AND done = 1), 0) + count(p.number) AS parts
         FROM files f JOIN parts p ON p.file_id = f.id WHERE f.job_id = ?1 AND f.done = 0`,
        jobId,
      );
      return row ?? { bytes: 0, parts: 0 };
    },

    openUploads: (jobId) =>
      read(
        uploadRow,
        'SELECT key, upload_id FROM files WHERE job_id = ? AND done = 0 AND upload_id IS NOT NULL',
        jobId,
      ),

    uploadBegun: (fileId, uploadId) =>
      transaction(() => run('UPDATE files SET upload_id = ? WHERE id = ?', uploadId, fileId)),

    confirm: (confirmations) =>
      transaction(() => {
        for (const { fileId, part } of confirmations) {
          if (!part) run('UPDATE files SET done = 1 WHERE id = ?', fileId);
          else {
            run(
              'INSERT OR REPLACE INTO parts (file_id, number, size, etag) VALUES (?, ?, ?, ?)',
              fileId,
              part.number,
              part.size,
              part.etag,
            );
          }
        }
      }),

    dropParts: (fileId, numbers) =>
      transaction(() => {
        for (const number of numbers)
          run('DELETE FROM parts WHERE file_id = ? AND number = ?', fileId, number);
      }),

    forgetUpload: (fileId) =>
      transaction(() => {
        run('DELETE FROM parts WHERE file_id = ?', fileId);
        run('UPDATE files SET upload_id = NULL WHERE id = ?', fileId);
      }),

    speeds: (accountId) =>
      read(speedRow, 'SELECT bytes, ms FROM speeds WHERE account_id = ? ORDER BY seq', accountId),

    addSpeed: (accountId, { bytes, ms }) =>
      transaction(() => {
        run('INSERT INTO speeds (account_id, bytes, ms) VALUES (?, ?, ?)', accountId, bytes, ms);
        run(
          `DELETE FROM speeds WHERE account_id = ?1 AND seq NOT IN
             (SELECT seq FROM speeds WHERE account_id = ?1 ORDER BY seq DESC LIMIT ?2)`,
          accountId,
          rememberedSpeeds,
        );
      }),

    close: () => guard(() => database.close()),
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
