import { type EndedPlace, maxShownPaths } from '../../../shared/job.ts';
import type { JobStatus } from '../../../shared/job-status.ts';
import type { Queries } from './database.ts';
import type { JobEnd, Journal } from './journal-model.ts';
import {
  assetRow,
  endedFactsRow,
  endedKindRow,
  endedRow,
  idRow,
  jobRow,
  placeRow,
  recordColumns,
  restRow,
} from './journal-rows.ts';

/**
 * Ended jobs stay in the journal and are read when someone asks for them: however many there are, a start
 * reads none. Each question has an index of its own.
 */

/** On the list and ended: the words that the indexes of these have. */
const ended = 'removed = 0 AND ended_at IS NOT NULL';
/** Left to choose, SQLite takes the index of ends, and sorts all of them for each page. */
const newestFirst = 'jobs INDEXED BY jobs_ended';
/** Whose place another one on the list has taken: it is folded under that. */
const isFolded = 'EXISTS (SELECT 1 FROM jobs s WHERE s.predecessor = jobs.id AND s.removed = 0)';

/**
 * What a search looks at. A job that makes no sense is set aside when it is read, and has no names until
 * then.
 */
const searched = `id, created_at, rowid AS row, ended_as, coalesce(ended_bytes, 0) AS bytes,
  CASE WHEN json_valid(body) THEN body ->> '$.name' END AS name,
  (SELECT max(asset_id) FROM job_assets WHERE job_id = jobs.id AND orphan = 0) AS asset_id,
  CASE WHEN json_valid(paths) THEN
    (SELECT json_group_array(value) FROM (SELECT value FROM json_each(paths) LIMIT ${maxShownPaths}))
  ELSE '[]' END AS paths`;
/** Above all numbers of rows. */
const behindAll: EndedPlace = { createdAt: Number.MAX_SAFE_INTEGER, row: Number.MAX_SAFE_INTEGER };

type EndedJobs = Pick<
  Journal,
  | 'unfinished'
  | 'job'
  | 'ended'
  | 'endedAfter'
  | 'endedFacts'
  | 'endedTotals'
  | 'setEnds'
  | 'jobsOfAsset'
  | 'assetIds'
  | 'isOurAsset'
  | 'jobsOfSource'
>;

/** Inside a transaction. Null: it has not ended. */
export function writeEnd(run: Queries['run'], jobId: string, end: JobEnd | null): void {
  run(
    'UPDATE jobs SET ended_at = ?, ended_as = ?, ended_bytes = ? WHERE id = ?',
    end?.at ?? null,
    end?.as ?? null,
    end?.bytes ?? null,
    jobId,
  );
}

/** What a start and a list ask for. */
export function endedOf({ run, read, transaction }: Queries): EndedJobs {
  return {
    unfinished: () => {
      const places = new Map(
        read(placeRow, 'SELECT id, place FROM jobs WHERE removed = 0 AND ended_at IS NULL').map((row) => [
          row.id,
          row.place,
        ]),
      );
      return read(
        jobRow,
        `SELECT ${recordColumns} FROM jobs WHERE removed = 0 AND ended_at IS NULL ORDER BY rowid`,
      ).map((record) => ({ record, place: places.get(record.id) ?? 0 }));
    },

    job: (id) => {
      const [record] = read(
        jobRow,
        `SELECT ${recordColumns} FROM jobs WHERE id = ? AND removed IN (0, 3)`,
        id,
      );
      const [row] = read(placeRow, 'SELECT id, place, removed FROM jobs WHERE id = ?', id);
      return record && row && { record, place: row.place, isListed: row.removed === 0 };
    },

    ended: (max, after) =>
      after
        ? read(
            endedRow,
            `SELECT id, created_at, rowid AS row FROM ${newestFirst} WHERE ${ended}
             AND created_at <= ?1 AND (created_at, rowid) < (?1, ?2) ORDER BY created_at DESC, rowid DESC LIMIT ?3`,
            after.createdAt,
            after.row,
            max,
          )
        : read(
            endedRow,
            `SELECT id, created_at, rowid AS row FROM ${newestFirst} WHERE ${ended}
             ORDER BY created_at DESC, rowid DESC LIMIT ?`,
            max,
          ),

    endedFacts: (max, { createdAt, row } = behindAll) =>
      read(
        endedFactsRow,
        `SELECT ${searched} FROM ${newestFirst} WHERE ${ended}
         AND created_at <= ?1 AND (created_at, rowid) < (?1, ?2) AND NOT ${isFolded}
         ORDER BY created_at DESC, rowid DESC LIMIT ?3`,
        ...[createdAt, row, max],
      ),

    endedAfter: ({ createdAt, row }) => {
      const [rest] = read(
        restRow,
        `SELECT count(*) AS count, coalesce(sum(ended_bytes), 0) AS bytes FROM jobs WHERE ${ended}
         AND created_at <= ?1 AND (created_at, rowid) < (?1, ?2) AND NOT ${isFolded}`,
        createdAt,
        row,
      );
      return rest ?? { count: 0, bytes: 0 };
    },

    endedTotals: () =>
      new Map(
        read(
          endedKindRow,
          `SELECT ended_as, count(*) AS count, max(ended_at) AS last
           FROM jobs INDEXED BY jobs_ended_as WHERE ${ended} GROUP BY ended_as`,
        ).map(({ as, count, lastAt }): [JobStatus, { count: number; lastAt: number }] => [
          as,
          { count, lastAt },
        ]),
      ),

    setEnds: (ends) =>
      transaction(() => {
        for (const [jobId, end] of ends) writeEnd(run, jobId, end);
      }),

    jobsOfAsset: (accountId, assetId) =>
      read(
        idRow,
        `SELECT j.id FROM job_assets a JOIN jobs j ON j.id = a.job_id
         WHERE a.asset_id = ? AND a.orphan = 0 AND j.account_id = ? AND j.removed IN (0, 3)
         ORDER BY j.created_at DESC, j.rowid DESC`,
        assetId,
        accountId,
      ),

    assetIds: (accountId) =>
      read(
        assetRow,
        `SELECT DISTINCT a.asset_id FROM job_assets a JOIN jobs j ON j.id = a.job_id
         WHERE a.orphan = 0 AND j.account_id = ? AND j.removed IN (0, 3)`,
        accountId,
      ),

    isOurAsset: (assetId) =>
      read(idRow, 'SELECT job_id AS id FROM job_assets WHERE asset_id = ? LIMIT 1', assetId).length > 0,

    jobsOfSource: (accountId, paths, max) =>
      read(
        idRow,
        `SELECT id FROM jobs WHERE account_id = ?1 AND substr(paths, 1, 200) = substr(?2, 1, 200)
         AND paths = ?2 AND removed = 0 ORDER BY created_at DESC, rowid DESC LIMIT ?3`,
        accountId,
        JSON.stringify(paths),
        max,
      ),
  };
}
