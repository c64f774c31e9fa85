import { z } from 'zod';
import { countParts } from '../../transfer/plan.ts';
import type { ComparedBy } from '../../transfer/transfer-model.ts';
import type { Queries } from './database.ts';
import { KnownFolders, nameIn } from './folder-rows.ts';
import type { Journal } from './journal-model.ts';
import {
  countsRow,
  fileProgressRow,
  fileRow,
  keptEtag,
  md5Of,
  partRow,
  sentFileRow,
  totalsRow,
  uploadRow,
} from './journal-rows.ts';

/**
 * The files of jobs, in the journal. A plan may have a million: paths are there once for each folder, counts
 * are kept, and everything is read in pages.
 */

/** Files read, or rows cleared away, at once: a few milliseconds' worth. */
const page = 500;
/** Larger files are sent first, by their size. As in the index `files_large`. */
const largeBytes = 1_048_576;
/** Ids of a plan's files begin with its number. */
const idsOfPlan = 2 ** 32;

const named = 'd.path || f.name AS path, d.key_prefix || coalesce(f.key_name, f.name) AS key';
/** LEFT: a file whose folder is not there can’t be read, instead of being passed over. */
const folderOf = 'LEFT JOIN folders d ON d.plan = f.id >> 32 AND d.number = f.folder';
const fileColumns = `f.id, ${named}, f.size, f.mtime_ms, f.part_size, f.upload_id, f.upload_checksum, f.complete_sent,
  f.inode, d.device, f.ctime_ms, f.content_md5, c.content`;
const fileTables = `${folderOf} JOIN plans p ON p.id = f.id >> 32
  LEFT JOIN file_contents c ON c.job_id = p.job_id AND c.md5 = f.content_md5`;
const comparedCodes: readonly ComparedBy[] = ['crc32', 'md5'];

const planRow = z.object({ id: z.number() }).transform(({ id }) => id);
const lastRow = z.object({ last: z.number().nullable() }).transform(({ last }) => last);
const doneRow = z.object({ id: z.number(), size: z.number(), part_size: z.number() });

type Files = Pick<
  Journal,
  | 'dropFiles'
  | 'addFiles'
  | 'unfinishedFiles'
  | 'filesToSend'
  | 'sentFiles'
  | 'fileProgress'
  | 'totals'
  | 'openUploads'
  | 'oweAborts'
  | 'uploadBegun'
  | 'completeSent'
  | 'confirm'
  | 'identityTaken'
  | 'dropParts'
  | 'forgetUpload'
>;

export function filesOf({ run, read, transaction, unhurried }: Queries): Files {
  const known = new KnownFolders();
  const inPage = (work: () => void) => unhurried(() => transaction(work));
  /** The ids of a job's files lie between them; null for a job without files. */
  const idsOf = (jobId: string): readonly [number, number] | null => {
    const [plan] = read(planRow, 'SELECT id FROM plans WHERE job_id = ?', jobId);
    return plan === undefined ? null : [plan * idsOfPlan, (plan + 1) * idsOfPlan - 1];
  };
  const addFolder = (plan: number, folder: ReturnType<typeof nameIn>['folder']): number => {
    const [last = null] = read(lastRow, 'SELECT max(number) AS last FROM folders WHERE plan = ?', plan);
    const number = (last ?? 0) + 1;
    const { path, keyPrefix, device } = folder;
    run(
      'INSERT INTO folders (plan, number, path, key_prefix, device) VALUES (?, ?, ?, ?, ?)',
      ...[plan, number, path, keyPrefix, device],
    );
    return number;
  };
  /** With their parts. */
  const whole = (rows: readonly z.infer<typeof fileRow>[]) => {
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
    // One text in memory for all files that hold it.
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
  const setDone = (fileId: number, etag: string | null, comparedBy: ComparedBy | null) => {
    const [file] = read(doneRow, 'SELECT id, size, part_size FROM files WHERE id = ? AND done = 0', fileId);
    run(
      'UPDATE files SET done = 1, etag = ?, compared_by = ? WHERE id = ?',
      keptEtag(etag),
      comparedBy === null ? null : comparedCodes.indexOf(comparedBy),
      fileId,
    );
    if (file)
      run(
        `UPDATE plans SET done_files = done_files + 1, done_bytes = done_bytes + ?, done_parts = done_parts + ?
         WHERE id = ? >> 32`,
        ...[file.size, countParts(file.size, file.part_size), fileId],
      );
  };

  return {
    dropFiles: (jobId) => {
      const ids = idsOf(jobId);
      let deleted = 0;
      if (ids)
        inPage(() => {
          known.clear();
          run(
            'UPDATE plans SET files = 0, done_files = 0, done_bytes = 0, done_parts = 0 WHERE job_id = ?',
            jobId,
          );
          deleted = run(
            'DELETE FROM files WHERE id IN (SELECT id FROM files WHERE id BETWEEN ? AND ? LIMIT ?)',
            ...[...ids, page],
          );
          if (deleted === page) return;
          deleted += run(
            `DELETE FROM folders WHERE (plan, number) IN
               (SELECT plan, number FROM folders WHERE plan = ? LIMIT ?)`,
            ...[ids[0] / idsOfPlan, page - deleted],
          );
          if (deleted < page) run('DELETE FROM file_contents WHERE job_id = ?', jobId);
        });
      return deleted === page;
    },

    addFiles: (jobId, files) => {
      try {
        inPage(() => {
          run('INSERT OR IGNORE INTO plans (job_id) VALUES (?)', jobId);
          const ids = idsOf(jobId);
          if (!ids) return;
          const plan = ids[0] / idsOfPlan;
          const [last = null] = read(
            lastRow,
            'SELECT max(id) AS last FROM files WHERE id BETWEEN ? AND ?',
            ...ids,
          );
          let id = last ?? ids[0];
          for (const file of files) {
            const { size, mtimeMs, identity, plan: parts, content } = file;
            const contentMd5 = content === undefined ? null : md5Of(content);
            if (content !== undefined)
              run(
                'INSERT OR IGNORE INTO file_contents (job_id, md5, content) VALUES (?, ?, ?)',
                ...[jobId, contentMd5, content],
              );
            const { folder, name, keyName, inode } = nameIn(file);
            const number = known.number(plan, folder, () => addFolder(plan, folder));
            run(
              `INSERT INTO files (id, folder, name, key_name, size, mtime_ms, part_size, inode, ctime_ms, content_md5)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
              ...[++id, number, name, keyName, size, mtimeMs, parts.partSize, inode],
              ...[identity?.ctimeMs ?? null, contentMd5],
            );
          }
          run('UPDATE plans SET files = files + ? WHERE id = ?', files.length, plan);
        });
      } catch (error) {
        // Folders of a page that was taken back are not there.
        known.clear();
        throw error;
      }
    },

    unfinishedFiles: (jobId, afterId = 0) => {
      const ids = idsOf(jobId);
      if (!ids) return [];
      return whole(
        read(
          fileRow,
          `SELECT ${fileColumns} FROM files f INDEXED BY files_by_done ${fileTables}
           WHERE f.done = 0 AND f.id > ? AND f.id <= ? ORDER BY f.id LIMIT ?`,
          ...[Math.max(afterId, ids[0]), ids[1], page],
        ),
      );
    },

    filesToSend: (jobId, after) => {
      const ids = idsOf(jobId);
      if (!ids) return [];
      const isSmall = after !== undefined && after.size <= largeBytes;
      const large = isSmall
        ? []
        : read(
            fileRow,
            `SELECT ${fileColumns} FROM files f INDEXED BY files_large ${fileTables}
             WHERE f.done = 0 AND f.size > ${largeBytes} AND f.id >> 32 = ?1
               AND -f.size >= ?2 AND (-f.size > ?2 OR f.id > ?3)
             ORDER BY -f.size, f.id LIMIT ?4`,
            ...[
              ids[0] / idsOfPlan,
              after === undefined ? -Number.MAX_SAFE_INTEGER : -after.size,
              after?.id ?? 0,
              page,
            ],
          );
      if (large.length > 0) return whole(large);
      return whole(
        read(
          fileRow,
          `SELECT ${fileColumns} FROM files f INDEXED BY files_by_done ${fileTables}
           WHERE f.done = 0 AND f.id > ? AND f.id <= ? AND f.size <= ${largeBytes} ORDER BY f.id LIMIT ?`,
          ...[isSmall ? after.id : ids[0], ids[1], page],
        ),
      );
    },

    sentFiles: (jobId, afterId = 0) => {
      const ids = idsOf(jobId);
      if (!ids) return [];
      return read(
        sentFileRow,
        `SELECT f.id, ${named}, f.size, f.mtime_ms, f.etag, f.compared_by, f.part_size, f.done
         FROM files f ${folderOf} WHERE f.id > ? AND f.id <= ? ORDER BY f.id LIMIT ?`,
        ...[Math.max(afterId, ids[0]), ids[1], page],
      );
    },

    fileProgress: (jobId, max) => {
      const ids = idsOf(jobId);
      const [counts = { files: 0, done: 0 }] = read(
        countsRow,
        'SELECT files, done_files FROM plans WHERE job_id = ?',
        jobId,
      );
      const some = (done: 0 | 1, order: 'ASC' | 'DESC', confirmed: string) =>
        ids
          ? read(
              fileProgressRow,
              `SELECT ${named}, f.size, ${confirmed} AS confirmed FROM files f INDEXED BY files_by_done ${folderOf}
               WHERE f.done = ? AND f.id > ? AND f.id <= ? ORDER BY f.id ${order} LIMIT ?`,
              ...[done, ...ids, max],
            )
          : [];
      return {
        unfinished: some(0, 'ASC', '(SELECT coalesce(sum(size), 0) FROM parts WHERE file_id = f.id)'),
        done: some(1, 'DESC', 'f.size'),
        unfinishedCount: counts.files - counts.done,
        doneCount: counts.done,
      };
    },

    totals: (jobId) => {
      const ids = idsOf(jobId);
      if (!ids) return { bytes: 0, parts: 0 };
      const [row = { bytes: 0, parts: 0 }] = read(
        totalsRow,
        // CROSS: over its confirmed parts, of which there are few, not over its files.
        `SELECT p.done_bytes + s.bytes AS bytes, p.done_parts + s.parts AS parts FROM plans p,
           (SELECT coalesce(sum(parts.size), 0) AS bytes, count(*) AS parts
            FROM parts CROSS JOIN files f ON f.id = parts.file_id
            WHERE parts.file_id BETWEEN ? AND ? AND f.done = 0) s
         WHERE p.job_id = ?`,
        ...[...ids, jobId],
      );
      return row;
    },

    openUploads: (jobId) => {
      const ids = idsOf(jobId);
      if (!ids) return [];
      return read(
        uploadRow,
        `SELECT ${named}, f.upload_id FROM files f INDEXED BY files_uploads ${folderOf}
         WHERE f.upload_id IS NOT NULL AND f.done = 0 AND f.id BETWEEN ? AND ?`,
        ...ids,
      );
    },

    oweAborts: (jobId) => {
      const ids = idsOf(jobId);
      if (ids)
        transaction(() =>
          run(
            `INSERT OR IGNORE INTO owed_aborts (job_id, key, upload_id)
             SELECT ?, d.key_prefix || coalesce(f.key_name, f.name), f.upload_id
             FROM files f INDEXED BY files_uploads ${folderOf}
             WHERE f.upload_id IS NOT NULL AND f.done = 0 AND f.id BETWEEN ? AND ?`,
            ...[jobId, ...ids],
          ),
        );
    },

    uploadBegun: (fileId, { uploadId, checksum }) =>
      transaction(() =>
        run('UPDATE files SET upload_id = ?, upload_checksum = ? WHERE id = ?', uploadId, checksum, fileId),
      ),

    completeSent: (fileId) =>
      transaction(() => run('UPDATE files SET complete_sent = 1 WHERE id = ?', fileId)),

    confirm: (confirmations) =>
      transaction(() => {
        for (const { fileId, part, etag = null, comparedBy = null } of confirmations) {
          if (!part) setDone(fileId, etag, comparedBy);
          else
            run(
              'INSERT OR REPLACE INTO parts (file_id, number, size, etag, crc32) VALUES (?, ?, ?, ?, ?)',
              ...[fileId, part.number, part.size, part.etag, part.crc32 ?? null],
            );
        }
      }),

    identityTaken: (fileId, { fileId: id, ctimeMs }) =>
      transaction(() => run('UPDATE files SET inode = ?, ctime_ms = ? WHERE id = ?', id, ctimeMs, fileId)),

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
           SELECT p.job_id, d.key_prefix || coalesce(f.key_name, f.name), f.upload_id
           FROM files f ${folderOf} JOIN plans p ON p.id = f.id >> 32
           WHERE f.id = ? AND f.upload_id IS NOT NULL`,
          fileId,
        );
        run('DELETE FROM parts WHERE file_id = ?', fileId);
        run(
          'UPDATE files SET upload_id = NULL, upload_checksum = NULL, complete_sent = 0 WHERE id = ?',
          fileId,
        );
      }),
  };
}
