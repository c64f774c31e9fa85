import { type EndedPlace, maxShownPaths, noRest } from '../../../shared/job.ts';
import { failedStatuses, type JobStatus } from '../../../shared/job-status.ts';
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

/** Ended jobs are read on demand: a start reads none. Each query has its own index. */

/** Matches the indexes of listed, ended jobs. */
const isEndedSql = 'removed = 0 AND ended_at IS NOT NULL';
/** By default SQLite would use the index of ends and sort everything per page. */
const newestFirst = 'jobs INDEXED BY jobs_ended';
const failedSql = [...failedStatuses].map((status) => `'${status}'`).join();
const isFolded = 'EXISTS (SELECT 1 FROM jobs s WHERE s.predecessor = jobs.id AND s.removed = 0)';

/** Malformed jobs have no names until they are set aside. */
const searchColumns = `id, created_at, rowid AS row, ended_as, coalesce(ended_bytes, 0) AS bytes,
  CASE WHEN json_valid(body) THEN body ->> '$.name' END AS name,
  (SELECT max(asset_id) FROM job_assets WHERE job_id = jobs.id AND orphan = 0) AS asset_id,
  CASE WHEN json_valid(paths) THEN
    (SELECT json_group_array(value) FROM (SELECT value FROM json_each(paths) LIMIT ${maxShownPaths}))
  ELSE '[]' END AS paths`;
const behindAll: EndedPlace = { createdAt: Number.MAX_SAFE_INTEGER, row: Number.MAX_SAFE_INTEGER };

type EndedJobs = Pick<
  Journal,
  | 'unfinished'
  | 'job'
  | 'endedPage'
  | 'endedAfter'
  | 'endedFacts'
  | 'endedTotals'
  | 'setEnds'
  | 'jobsOfAsset'
  | 'assetIds'
  | 'isOurAsset'
  | 'jobsOfSource'
>;

/** Call inside a transaction. */
export function writeEnd(run: Queries['run'], jobId: string, end: JobEnd | null): void {
  run(
    'UPDATE jobs SET ended_at = ?, ended_as = ?, ended_bytes = ? WHERE id = ?',
    end?.at ?? null,
    end?.as ?? null,
    end?.bytes ?? null,
    jobId,
  );
}

/** The journal's queries about ended jobs. */
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

    endedPage: (max, previousPlace) =>
      previousPlace
        ? read(
            endedRow,
            `SELECT id, created_at, rowid AS row FROM ${newestFirst} WHERE ${isEndedSql}
             AND created_at <= ?1 AND (created_at, rowid) < (?1, ?2) ORDER BY created_at DESC, rowid DESC LIMIT ?3`,
            previousPlace.createdAt,
            previousPlace.row,
            max,
          )
        : read(
            endedRow,
            `SELECT id, created_at, rowid AS row FROM ${newestFirst} WHERE ${isEndedSql}
             ORDER BY created_at DESC, rowid DESC LIMIT ?`,
            max,
          ),

    endedFacts: (max, { createdAt, row } = behindAll) =>
      read(
        endedFactsRow,
        `SELECT ${searchColumns} FROM ${newestFirst} WHERE ${isEndedSql}
         AND created_at <= ?1 AND (created_at, rowid) < (?1, ?2) AND NOT ${isFolded}
         ORDER BY created_at DESC, rowid DESC LIMIT ?3`,
        ...[createdAt, row, max],
      ),

    endedAfter: ({ createdAt, row }) => {
      const [totals] = read(
        restRow,
        `SELECT count(*) AS count, coalesce(sum(ended_bytes), 0) AS bytes,
           coalesce(sum(ended_as IN (${failedSql})), 0) AS failed FROM jobs WHERE ${isEndedSql}
         AND created_at <= ?1 AND (created_at, rowid) < (?1, ?2) AND NOT ${isFolded}`,
        createdAt,
        row,
      );
      return totals ?? noRest;
    },

    endedTotals: () =>
      new Map(
        read(
          endedKindRow,
          `SELECT ended_as, count(*) AS count, max(ended_at) AS last
           FROM jobs INDEXED BY jobs_ended_as WHERE ${isEndedSql} GROUP BY ended_as`,
        ).map(({ as, count, lastAt }): [JobStatus, { count: number; lastAt: number }] => [
          as,
          { count, lastAt },
        ]),
      ),

    setEnds: (jobEnds) =>
      transaction(() => {
        for (const [jobId, end] of jobEnds) writeEnd(run, jobId, end);
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
