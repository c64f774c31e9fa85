import type { DatabaseSync } from 'node:sqlite';
import { TileliftError } from '../../errors.ts';
import { createQueries, openDatabase } from './database.ts';
import { madeAssetsOf, orderOf, removalsOf } from './journal-list.ts';
import type { Journal } from './journal-model.ts';
import {
  countRow,
  eventRow,
  fileProgressRow,
  fileRow,
  freePagesRow,
  jobRow,
  md5Of,
  owedAbortRow,
  partRow,
  removedRow,
  sentFileRow,
  speedRow,
  totalsRow,
  uploadRow,
} from './journal-rows.ts';
import { LaterVersion } from './journal-schema.ts';

/** Files read, or rows cleared away, at once: a few milliseconds' worth. */
const page = 500;
/**
 * Asked for with each value of `done`, so that the index gives them in order: sorting all files for every
 * page would take seconds.
 */
const sentColumns = 'id, key, size, mtime_ms, etag, compared_by, part_size, done';
/** Stretches of each kind from which the speed of the network is told. */
const rememberedSpeeds = 5;

/**
 * Opens the journal at `path`, making it when missing, without holding it against others. Throws
 * `journal-newer` or `journal-unusable`.
 */
export function openJournal(path: string): Journal {
  try {
    return createJournal(openDatabase(path), path);
  } catch (cause) {
    const code = cause instanceof LaterVersion ? 'journal-newer' : 'journal-unusable';
    throw new TileliftError(code, { subject: path, cause });
  }
}

/** The journal over an open database, `path` being its name for people. */
export function createJournal(database: DatabaseSync, path: string): Journal {
  const queries = createQueries(database, path);
  const { run, read, transaction, guard } = queries;
  /** A page of them, parts included; true while there are more. */
  const deleteFiles = (jobId: string): boolean => {
    let deleted = 0;
    transaction(() => {
      deleted = run(
        'DELETE FROM files WHERE id IN (SELECT id FROM files WHERE job_id = ? LIMIT ?)',
        jobId,
        page,
      );
      if (deleted < page) run('DELETE FROM file_contents WHERE job_id = ?', jobId);
    });
    return deleted === page;
  };

  return {
    jobs: () => read(jobRow, 'SELECT * FROM jobs WHERE removed = 0 ORDER BY rowid'),

    addJob: ({ id, accountId, paths, body, createdAt, acceptForecast, ...job }, alongside) =>
      transaction(() => {
        run(
          `INSERT INTO jobs (id, account_id, paths, body, created_at, accept_forecast, exactly, changes, predecessor, expected_files, expected_bytes, place)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(place), 0) + 1 FROM jobs))`,
          id,
          accountId,
          JSON.stringify(paths),
          JSON.stringify(body),
          createdAt,
          acceptForecast ? 1 : 0,
          job.exactly ? JSON.stringify(job.exactly) : null,
          job.changes ? JSON.stringify(job.changes) : null,
          job.predecessor ?? null,
          job.expected?.files ?? null,
          job.expected?.bytes ?? null,
        );
        alongside?.();
      }),
    ...orderOf(queries),
    ...removalsOf(queries),
    ...madeAssetsOf(queries),

    removeJob: (id) => transaction(() => run('UPDATE jobs SET removed = 1 WHERE id = ?', id)),

    clearRemoved: () => {
      const [id] = read(removedRow, 'SELECT id FROM jobs WHERE removed = 1 LIMIT 1');
      if (id === undefined) return false;
      if (!deleteFiles(id)) transaction(() => run('DELETE FROM jobs WHERE id = ?', id));
      return true;
    },

    events: (jobId) =>
      read(eventRow, 'SELECT event FROM events WHERE job_id = ? ORDER BY seq', jobId).filter(
        (event) => event !== null,
      ),

    append: (jobId, event) =>
      transaction(() =>
        run('INSERT INTO events (job_id, event) VALUES (?, ?)', jobId, JSON.stringify(event)),
      ),

    dropFiles: deleteFiles,

    addFiles: (jobId, files) =>
      transaction(() => {
        for (const { path, key, size, mtimeMs, identity, plan, content } of files) {
          const contentMd5 = content === undefined ? null : md5Of(content);
          if (content !== undefined)
            run(
              'INSERT OR IGNORE INTO file_contents (job_id, md5, content) VALUES (?, ?, ?)',
              jobId,
              contentMd5,
              content,
            );
          run(
            'INSERT INTO files (job_id, path, key, size, mtime_ms, part_size, part_count, file_id, ctime_ms, content_md5) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
            jobId,
            path,
            key,
            size,
            mtimeMs,
            plan.partSize,
            plan.partCount,
            identity?.fileId ?? null,
            identity?.ctimeMs ?? null,
            contentMd5,
          );
        }
      }),

    unfinishedFiles: (jobId, afterId = 0) => {
      const files = read(
        fileRow,
        `SELECT f.*, c.content FROM files f
         LEFT JOIN file_contents c ON c.job_id = f.job_id AND c.md5 = f.content_md5
         WHERE f.job_id = ? AND f.done = 0 AND f.id > ? ORDER BY f.id LIMIT ?`,
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
      // One text in memory for all files that hold it.
      const contents = new Map(files.map(({ content }) => [content, content]));
      return files.map(({ content, ...file }) => ({
        ...file,
        ...(content === null ? {} : { content: contents.get(content) ?? content }),
        parts: (parts.get(file.id) ?? []).map(({ number, size, etag, crc32 }) => ({
          number,
          size,
          etag,
          ...(crc32 === null ? {} : { crc32 }),
        })),
      }));
    },

    sentFiles: (jobId, afterId = 0) =>
      read(
        sentFileRow,
        `SELECT ${sentColumns} FROM files WHERE job_id = ?1 AND done = 1 AND id > ?2
         UNION ALL
         SELECT ${sentColumns} FROM files WHERE job_id = ?1 AND done = 0 AND id > ?2
         ORDER BY id LIMIT ?3`,
        jobId,
        afterId,
        page,
      ),

    fileProgress: (jobId, max) => {
      const count = (done: 0 | 1) => {
        const [row] = read(
          countRow,
          'SELECT count(*) AS count FROM files WHERE job_id = ? AND done = ?',
          jobId,
          done,
        );
        return row ?? 0;
      };
      return {
        unfinished: read(
          fileProgressRow,
          `SELECT key, size, (SELECT coalesce(sum(size), 0) FROM parts WHERE file_id = id) AS confirmed
           FROM files WHERE job_id = ? AND done = 0 ORDER BY id LIMIT ?`,
          jobId,
          max,
        ),
        done: read(
          fileProgressRow,
          'SELECT key, size, size AS confirmed FROM files WHERE job_id = ? AND done = 1 ORDER BY id DESC LIMIT ?',
          jobId,
          max,
        ),
        unfinishedCount: count(0),
        doneCount: count(1),
      };
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

    oweAborts: (jobId) =>
      transaction(() =>
        run(
          `INSERT OR IGNORE INTO owed_aborts (job_id, key, upload_id)
           SELECT job_id, key, upload_id FROM files WHERE job_id = ? AND done = 0 AND upload_id IS NOT NULL`,
          jobId,
        ),
      ),

    owedAborts: (jobId) =>
      jobId === undefined
        ? read(owedAbortRow, 'SELECT * FROM owed_aborts')
        : read(owedAbortRow, 'SELECT * FROM owed_aborts WHERE job_id = ?', jobId),

    abortDone: ({ jobId, key, uploadId }) =>
      transaction(() =>
        run('DELETE FROM owed_aborts WHERE job_id = ? AND key = ? AND upload_id = ?', jobId, key, uploadId),
      ),

    forgiveAborts: (jobId) => transaction(() => run('DELETE FROM owed_aborts WHERE job_id = ?', jobId)),

    uploadBegun: (fileId, { uploadId, checksum }) =>
      transaction(() =>
        run('UPDATE files SET upload_id = ?, upload_checksum = ? WHERE id = ?', uploadId, checksum, fileId),
      ),

    completeSent: (fileId) =>
      transaction(() => run('UPDATE files SET complete_sent = 1 WHERE id = ?', fileId)),

    confirm: (confirmations) =>
      transaction(() => {
        for (const { fileId, part, etag = null, comparedBy = null } of confirmations) {
          if (!part)
            run(
              'UPDATE files SET done = 1, etag = ?, compared_by = ? WHERE id = ?',
              etag,
              comparedBy,
              fileId,
            );
          else {
            run(
              'INSERT OR REPLACE INTO parts (file_id, number, size, etag, crc32) VALUES (?, ?, ?, ?, ?)',
              fileId,
              part.number,
              part.size,
              part.etag,
              part.crc32 ?? null,
            );
          }
        }
      }),

    identityTaken: (fileId, { fileId: id, ctimeMs }) =>
      transaction(() => run('UPDATE files SET file_id = ?, ctime_ms = ? WHERE id = ?', id, ctimeMs, fileId)),

    dropParts: (fileId, numbers) =>
      transaction(() => {
        for (const number of numbers)
          run('DELETE FROM parts WHERE file_id = ? AND number = ?', fileId, number);
        run('UPDATE files SET complete_sent = 0 WHERE id = ?', fileId);
      }),

    forgetUpload: (fileId) =>
      transaction(() => {
        run(
          `INSERT OR IGNORE INTO owed_aborts (job_id, key, upload_id)
           SELECT job_id, key, upload_id FROM files WHERE id = ? AND upload_id IS NOT NULL`,
          fileId,
        );
        run('DELETE FROM parts WHERE file_id = ?', fileId);
        run(
          'UPDATE files SET upload_id = NULL, upload_checksum = NULL, complete_sent = 0 WHERE id = ?',
          fileId,
        );
      }),

    speeds: (accountId) =>
      read(speedRow, 'SELECT bytes, files, ms FROM speeds WHERE account_id = ? ORDER BY seq', accountId),

    addSpeed: (accountId, { bytes, files, ms }) =>
      transaction(() => {
        run(
          'INSERT INTO speeds (account_id, bytes, files, ms) VALUES (?, ?, ?, ?)',
          accountId,
          bytes,
          files,
          ms,
        );
        run(
          `DELETE FROM speeds WHERE account_id = ?1 AND (files > 0) = ?2 AND seq NOT IN
             (SELECT seq FROM speeds WHERE account_id = ?1 AND (files > 0) = ?2 ORDER BY seq DESC LIMIT ?3)`,
          accountId,
          Number(files > 0),
          rememberedSpeeds,
        );
      }),

    giveBack: () => {
      const [free] = read(freePagesRow, 'PRAGMA freelist_count');
      if (free) guard(() => database.exec(`PRAGMA incremental_vacuum(${page})`));
      else guard(() => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
      return Boolean(free);
    },

    close: () => guard(() => database.close()),
  };
}
