import { z } from 'zod';
import type { Queries } from './database.ts';
import type { Journal } from './journal-model.ts';
import { countsRow, fileProgressRow, fileRow, partRow, sentFileRow, totalsRow } from './journal-rows.ts';

const page = 500;
/** As in the index `files_large`. */
const largeBytes = 1_048_576;
/** File ids start with their plan's number. */
export const idsOfPlan: number = 2 ** 32;

/** For `files f` with its folder `d`. */
export const keyColumn = 'd.key_prefix || coalesce(f.key_name, f.name)';
/** LEFT, so that a file without its folder fails to parse instead of being skipped. */
export const folderOf = 'LEFT JOIN folders d ON d.plan = f.id >> 32 AND d.number = f.folder';
const pathAndKey = `d.path || f.name AS path, ${keyColumn} AS key`;
const fileColumns = `f.id, ${pathAndKey}, f.size, f.mtime_ms, f.part_size, f.upload_id, f.upload_checksum, f.complete_sent,
  f.inode, d.device, f.ctime_ms, f.content_md5, c.content`;
const fileTables = `${folderOf} JOIN plans p ON p.id = f.id >> 32
  LEFT JOIN file_contents c ON c.job_id = p.job_id AND c.md5 = f.content_md5`;

const plannedFileRow = z.object({ key: z.string(), path: z.string() });
const planRow = z.object({ id: z.number() }).transform(({ id }) => id);

/** Returns the id range of a job's files; null without files. */
export function planIds(read: Queries['read']): (jobId: string) => readonly [number, number] | null {
  return (jobId) => {
    const [plan] = read(planRow, 'SELECT id FROM plans WHERE job_id = ?', jobId);
    return plan === undefined ? null : [plan * idsOfPlan, (plan + 1) * idsOfPlan - 1];
  };
}

type FilePages = Pick<
  Journal,
  'unfinishedFiles' | 'filesToSend' | 'sentFiles' | 'firstFiles' | 'fileProgress' | 'totals'
>;

/** The journal's reads of files. */
export function filePagesOf({ read }: Queries): FilePages {
  const idsOf = planIds(read);
  const withFileNames = (rows: readonly z.infer<typeof fileRow>[]) => {
    const parts = Map.groupBy(
      rows.length === 0
        ? []
        : read(
            partRow,
            'SELECT * FROM parts WHERE file_id IN (SELECT value FROM json_each(?)) ORDER BY file_id, number',
            JSON.stringify(rows.filter(({ plan }) => plan.partCount > 1).map(({ id }) => id)),
          ),
      (part) => part.file_id,
    );
    // Shares strings between files of equal content.
    const contents = new Map(rows.map(({ content }) => [content, content]));
    return rows.map(({ content, ...file }) => ({
      ...file,
      ...(content === null ? {} : { content: contents.get(content) ?? content }),
      parts: (parts.get(file.id) ?? []).map(({ number, size, etag, crc32 }) => ({
        number,
        size,
        etag,
        ...(crc32 === null ? {} : { crc32 }),
      })),
    }));
  };

  return {
    unfinishedFiles: (jobId, afterId = 0) => {
      const ids = idsOf(jobId);
      if (!ids) return [];
      return withFileNames(
        read(
          fileRow,
          `SELECT ${fileColumns} FROM files f INDEXED BY files_by_done ${fileTables}
           WHERE f.done = 0 AND f.id > ? AND f.id <= ? ORDER BY f.id LIMIT ?`,
          ...[Math.max(afterId, ids[0]), ids[1], page],
        ),
      );
    },

    filesToSend: (jobId, previousFile) => {
      const ids = idsOf(jobId);
      if (!ids) return [];
      const isSmall = previousFile !== undefined && previousFile.size <= largeBytes;
      const largeFile = isSmall
        ? []
        : read(
            fileRow,
            `SELECT ${fileColumns} FROM files f INDEXED BY files_large ${fileTables}
             WHERE f.done = 0 AND f.size > ${largeBytes} AND f.id >> 32 = ?1
               AND -f.size >= ?2 AND (-f.size > ?2 OR f.id > ?3)
             ORDER BY -f.size, f.id LIMIT ?4`,
            ...[
              ids[0] / idsOfPlan,
              previousFile === undefined ? -Number.MAX_SAFE_INTEGER : -previousFile.size,
              previousFile?.id ?? 0,
              page,
            ],
          );
      if (largeFile.length > 0) return withFileNames(largeFile);
      return withFileNames(
        read(
          fileRow,
          `SELECT ${fileColumns} FROM files f INDEXED BY files_by_done ${fileTables}
           WHERE f.done = 0 AND f.id > ? AND f.id <= ? AND f.size <= ${largeBytes} ORDER BY f.id LIMIT ?`,
          ...[isSmall ? previousFile.id : ids[0], ids[1], page],
        ),
      );
    },

    sentFiles: (jobId, afterId = 0) => {
      const ids = idsOf(jobId);
      if (!ids) return [];
      return read(
        sentFileRow,
        `SELECT f.id, ${pathAndKey}, f.size, f.mtime_ms, f.etag, f.compared_by, f.part_size, f.done
         FROM files f ${folderOf} WHERE f.id > ? AND f.id <= ? ORDER BY f.id LIMIT ?`,
        ...[Math.max(afterId, ids[0]), ids[1], page],
      );
    },

    firstFiles: (jobId) => {
      const ids = idsOf(jobId);
      if (!ids) return [];
      return read(
        plannedFileRow,
        `SELECT ${pathAndKey} FROM files f ${folderOf} WHERE f.id BETWEEN ? AND ? ORDER BY f.id LIMIT ?`,
        ...[...ids, page],
      );
    },

    fileProgress: (jobId, max) => {
      const ids = idsOf(jobId);
      const [counts = { files: 0, done: 0 }] = read(
        countsRow,
        'SELECT files, done_files FROM plans WHERE job_id = ?',
        jobId,
      );
      const pageOf = (isDone: 0 | 1, order: 'ASC' | 'DESC', confirmedColumn: string) =>
        ids
          ? read(
              fileProgressRow,
              `SELECT ${pathAndKey}, f.size, ${confirmedColumn} AS confirmed FROM files f INDEXED BY files_by_done ${folderOf}
               WHERE f.done = ? AND f.id > ? AND f.id <= ? ORDER BY f.id ${order} LIMIT ?`,
              ...[isDone, ...ids, max],
            )
          : [];
      return {
        unfinished: pageOf(0, 'ASC', '(SELECT coalesce(sum(size), 0) FROM parts WHERE file_id = f.id)'),
        done: pageOf(1, 'DESC', 'f.size'),
        unfinishedCount: counts.files - counts.done,
        doneCount: counts.done,
      };
    },

    totals: (jobId) => {
      const ids = idsOf(jobId);
      if (!ids) return { bytes: 0, parts: 0 };
      const [row = { bytes: 0, parts: 0 }] = read(
        totalsRow,
        // CROSS iterates over the few confirmed parts instead of all files.
        `SELECT p.done_bytes + s.bytes AS bytes, p.done_parts + s.parts AS parts FROM plans p,
           (SELECT coalesce(sum(parts.size), 0) AS bytes, count(*) AS parts
            FROM parts CROSS JOIN files f ON f.id = parts.file_id
            WHERE parts.file_id BETWEEN ? AND ? AND f.done = 0) s
         WHERE p.job_id = ?`,
        ...[...ids, jobId],
      );
      return row;
    },
  };
}
