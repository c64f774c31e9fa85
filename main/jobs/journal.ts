import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import { TileliftError } from '../errors.ts';
import { assetTypes, type CreationBody } from '../service/model.ts';
import { jobEventSchema } from './events.ts';
import type { Journal } from './journal-model.ts';
import { migrate } from './journal-schema.ts';

const creationBody = z
  .object({
    name: z.string(),
    description: z.string().optional(),
    type: z.enum(assetTypes),
    options: z.looseObject({
      sourceType: z.string(),
      clampToTerrain: z.boolean().optional(),
      baseTerrainId: z.number().optional(),
    }),
  })
  .transform((body): CreationBody => body);

const jobRow = z
  .object({
    id: z.string(),
    account_id: z.string(),
    paths: z.string(),
    body: z.string(),
    created_at: z.number(),
  })
  .transform((row) => ({
    id: row.id,
    accountId: row.account_id,
    paths: z.array(z.string()).parse(JSON.parse(row.paths)),
    body: creationBody.parse(JSON.parse(row.body)),
    createdAt: row.created_at,
  }));

const fileRow = z
  .object({
    id: z.number(),
    path: z.string(),
    key: z.string(),
    size: z.number(),
    mtime_ms: z.number(),
    part_size: z.number(),
    part_count: z.number(),
    upload_id: z.string().nullable(),
  })
  .transform(({ id, path, key, size, mtime_ms, part_size, part_count, upload_id }) => ({
    id,
    path,
    key,
    size,
    mtimeMs: mtime_ms,
    plan: { partSize: part_size, partCount: part_count },
    uploadId: upload_id,
  }));

const partRow = z.object({ file_id: z.number(), number: z.number(), size: z.number(), etag: z.string() });
const eventRow = z
  .object({ event: z.string() })
  .transform((row) => jobEventSchema.parse(JSON.parse(row.event)));
const totalsRow = z.object({ bytes: z.number(), parts: z.number() });
const uploadRow = z
  .object({ key: z.string(), upload_id: z.string() })
  .transform((row) => ({ key: row.key, uploadId: row.upload_id }));

/** Another process that holds the file for longer than this holds it for good. */
const busyMs = 5_000;
/** Files read at once: a few milliseconds' worth. */
const filePage = 500;

/** Opens the journal at `path`, making it when missing. Throws `journal-unusable`. */
export function openJournal(path: string): Journal {
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw new TileliftError('journal-unusable', { subject: path, cause });
    }
  };
  const database = guard(() => openDatabase(path));

  const sql = prepareOnce(database);
  const run = (text: string, ...values: SQLInputValue[]) => {
    sql(text).run(...values);
  };
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
  const appendEvent = (jobId: string, event: unknown) =>
    run('INSERT INTO events (job_id, event) VALUES (?, ?)', jobId, JSON.stringify(event));

  return {
    jobs: () => read(jobRow, 'SELECT * FROM jobs ORDER BY rowid'),

    addJob: (job) =>
      transaction(() =>
        run(
          'INSERT INTO jobs (id, account_id, paths, body, created_at) VALUES (?, ?, ?, ?, ?)',
          job.id,
          job.accountId,
          JSON.stringify(job.paths),
          JSON.stringify(job.body),
          job.createdAt,
        ),
      ),

    removeJob: (id) => transaction(() => run('DELETE FROM jobs WHERE id = ?', id)),

    events: (jobId) => read(eventRow, 'SELECT event FROM events WHERE job_id = ? ORDER BY seq', jobId),

    append: (jobId, event) => transaction(() => appendEvent(jobId, event)),

    appendScan: (jobId, event, files) =>
      transaction(() => {
        run('DELETE FROM files WHERE job_id = ?', jobId);
        const insert = sql(
          'INSERT INTO files (job_id, path, key, size, mtime_ms, part_size, part_count) VALUES (?, ?, ?, ?, ?, ?, ?)',
        );
        for (const { path, key, size, mtimeMs, plan } of files) {
          insert.run(jobId, path, key, size, mtimeMs, plan.partSize, plan.partCount);
        }
        appendEvent(jobId, event);
      }),

    unfinishedFiles: (jobId, afterId = 0) => {
      const files = read(
        fileRow,
        'SELECT * FROM files WHERE job_id = ? AND done = 0 AND id > ? ORDER BY id LIMIT ?',
        jobId,
        afterId,
        filePage,
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

    close: () => guard(() => database.close()),
  };
}

function openDatabase(path: string): DatabaseSync {
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

/** Statements by their text, each prepared once. */
function prepareOnce(database: DatabaseSync) {
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  return (text: string) => {
    const known = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, known);
    return known;
  };
}
