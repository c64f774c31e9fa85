import type { DatabaseSync } from 'node:sqlite';
import { TileliftError } from '../../errors.ts';
import { createQueries, openDatabase } from './database.ts';
import { filePagesOf } from './file-pages.ts';
import { endedOf, writeEnd } from './journal-ended.ts';
import { filesOf } from './journal-files.ts';
import { madeAssetsOf, orderOf, removalsOf } from './journal-list.ts';
import type { Journal } from './journal-model.ts';
import {
  changesRow,
  eventRow,
  freePagesRow,
  idRow,
  jobRow,
  pendingAbortRow,
  recordColumns,
  speedRow,
} from './journal-rows.ts';
import { LaterVersion } from './journal-version.ts';
import { setUnreadableAside } from './set-aside-jobs.ts';

/** A few milliseconds' worth. */
const page = 500;
const rememberedSpeeds = 5;

/** Doesn't hold the journal. Throws `journal-newer` or `journal-unusable`. */
export function openJournal(path: string): Journal {
  try {
    return createJournal(openDatabase(path), path);
  } catch (cause) {
    const code = cause instanceof LaterVersion ? 'journal-newer' : 'journal-unusable';
    throw new TileliftError(code, { subject: path, cause });
  }
}

/** The journal over an open database; `path` is shown in errors. */
export function createJournal(database: DatabaseSync, path: string): Journal {
  const queries = createQueries(database, path);
  const { run, read, transaction, guard } = queries;
  const files = filesOf(queries);

  return {
    jobs: () => read(jobRow, `SELECT ${recordColumns} FROM jobs WHERE removed = 0 ORDER BY rowid`),

    changes: (jobId) => read(changesRow, 'SELECT changes FROM jobs WHERE id = ?', jobId)[0]?.changes,

    addJob: ({ id, accountId, paths, body, createdAt, acceptForecast, ...job }, alongside) =>
      transaction(() => {
        run(
          `INSERT INTO jobs (id, account_id, paths, body, created_at, accept_forecast, kind_detected, exactly, changes, predecessor, expected_files, expected_bytes, place)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(place), 0) + 1 FROM jobs))`,
          id,
          accountId,
          JSON.stringify(paths),
          JSON.stringify(body),
          createdAt,
          acceptForecast ? 1 : 0,
          job.isKindDetected ? 1 : 0,
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
    ...files,
    ...endedOf(queries),
    ...filePagesOf(queries),

    removeJob: (id) => transaction(() => run('UPDATE jobs SET removed = 1 WHERE id = ?', id)),

    clearRemoved: () => {
      const [id] = read(idRow, 'SELECT id FROM jobs WHERE removed = 1 LIMIT 1');
      if (id === undefined) return false;
      if (!files.dropFiles(id)) transaction(() => run('DELETE FROM jobs WHERE id = ?', id));
      return true;
    },

    events: (jobId) =>
      read(eventRow, 'SELECT event FROM events WHERE job_id = ? ORDER BY seq', jobId).filter(
        (event) => event !== null,
      ),

    append: (jobId, event, end) =>
      transaction(() => {
        run('INSERT INTO events (job_id, event) VALUES (?, ?)', jobId, JSON.stringify(event));
        if (end !== undefined) writeEnd(run, jobId, end);
      }),

    setAside: (jobId, nowMs) => setUnreadableAside(database, path, nowMs, jobId),

    pendingAborts: (jobId) =>
      jobId === undefined
        ? read(pendingAbortRow, 'SELECT * FROM owed_aborts')
        : read(pendingAbortRow, 'SELECT * FROM owed_aborts WHERE job_id = ?', jobId),

    abortDone: ({ jobId, key, uploadId }) =>
      transaction(() =>
        run('DELETE FROM owed_aborts WHERE job_id = ? AND key = ? AND upload_id = ?', jobId, key, uploadId),
      ),

    dropPendingAborts: (jobId) => transaction(() => run('DELETE FROM owed_aborts WHERE job_id = ?', jobId)),

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
