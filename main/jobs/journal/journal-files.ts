import { z } from 'zod';
import { countParts } from '../../transfer/plan.ts';
import type { ComparedBy } from '../../transfer/transfer-model.ts';
import type { Queries } from './database.ts';
import { folderOf, idsOfPlan, keyColumn, planIds } from './file-pages.ts';
import { KnownFolders, nameIn } from './folder-rows.ts';
import type { Journal } from './journal-model.ts';
import { keptEtag, md5Of } from './journal-rows.ts';

/** Plans may have a million files, so folder paths are stored once and counts are maintained. */

const page = 500;
const comparedCodes: readonly ComparedBy[] = ['crc32', 'md5'];

const lastRow = z.object({ last: z.number().nullable() }).transform(({ last: maximum }) => maximum);
const doneRow = z.object({ size: z.number(), part_size: z.number() });

interface Done {
  readonly files: number;
  readonly bytes: number;
  readonly parts: number;
}

const noCounts: Done = { files: 0, bytes: 0, parts: 0 };

function sum(previous: Done = noCounts, { files, bytes, parts }: Done): Done {
  return { files: previous.files + files, bytes: previous.bytes + bytes, parts: previous.parts + parts };
}

type Files = Pick<
  Journal,
  | 'dropFiles'
  | 'addFiles'
  | 'addPendingAborts'
  | 'uploadBegun'
  | 'completeSent'
  | 'confirm'
  | 'identityTaken'
  | 'dropParts'
  | 'forgetUpload'
>;

/** The journal's writes of files. */
export function filesOf({ run, read, transaction, lowPriority }: Queries): Files {
  const knownFolders = new KnownFolders();
  const inPage = (work: () => void) => lowPriority(() => transaction(work));
  const idsOf = planIds(read);
  const addFolder = (plan: number, folder: ReturnType<typeof nameIn>['folder']): number => {
    const [lastNumber = null] = read(lastRow, 'SELECT max(number) AS last FROM folders WHERE plan = ?', plan);
    const number = (lastNumber ?? 0) + 1;
    const { path, keyPrefix, device } = folder;
    run(
      'INSERT INTO folders (plan, number, path, key_prefix, device) VALUES (?, ?, ?, ?, ?)',
      ...[plan, number, path, keyPrefix, device],
    );
    return number;
  };
  const setDone = (fileId: number, etag: string | null, comparedBy: ComparedBy | null): Done => {
    const code = comparedBy === null ? null : comparedCodes.indexOf(comparedBy);
    const values = [keptEtag(etag), code, fileId];
    const [file] = read(
      doneRow,
      'UPDATE files SET done = 1, etag = ?, compared_by = ? WHERE id = ? AND done = 0 RETURNING size, part_size',
      ...values,
    );
    if (file) return { files: 1, bytes: file.size, parts: countParts(file.size, file.part_size) };
    run('UPDATE files SET etag = ?, compared_by = ? WHERE id = ?', ...values);
    return noCounts;
  };
  const countDone = (plan: number, { files, bytes, parts }: Done) =>
    run(
      `UPDATE plans SET done_files = done_files + ?, done_bytes = done_bytes + ?, done_parts = done_parts + ?
       WHERE id = ?`,
      ...[files, bytes, parts, plan],
    );

  return {
    dropFiles: (jobId) => {
      const ids = idsOf(jobId);
      let deletedCount = 0;
      if (ids)
        inPage(() => {
          knownFolders.clear();
          run(
            'UPDATE plans SET files = 0, done_files = 0, done_bytes = 0, done_parts = 0 WHERE job_id = ?',
            jobId,
          );
          deletedCount = run(
            'DELETE FROM files WHERE id IN (SELECT id FROM files WHERE id BETWEEN ? AND ? LIMIT ?)',
            ...[...ids, page],
          );
          if (deletedCount === page) return;
          deletedCount += run(
            `DELETE FROM folders WHERE (plan, number) IN
               (SELECT plan, number FROM folders WHERE plan = ? LIMIT ?)`,
            ...[ids[0] / idsOfPlan, page - deletedCount],
          );
          if (deletedCount < page) run('DELETE FROM file_contents WHERE job_id = ?', jobId);
        });
      return deletedCount === page;
    },

    addFiles: (jobId, files) => {
      try {
        inPage(() => {
          run('INSERT OR IGNORE INTO plans (job_id) VALUES (?)', jobId);
          const ids = idsOf(jobId);
          if (!ids) return;
          const plan = ids[0] / idsOfPlan;
          const [lastId = null] = read(
            lastRow,
            'SELECT max(id) AS last FROM files WHERE id BETWEEN ? AND ?',
            ...ids,
          );
          let id = lastId ?? ids[0];
          for (const file of files) {
            const { size, mtimeMs, identity, plan: parts, content } = file;
            const contentMd5 = content === undefined ? null : md5Of(content);
            if (content !== undefined)
              run(
                'INSERT OR IGNORE INTO file_contents (job_id, md5, content) VALUES (?, ?, ?)',
                ...[jobId, contentMd5, content],
              );
            const { folder, name, keyName, inode } = nameIn(file);
            const number = knownFolders.number(plan, folder, () => addFolder(plan, folder));
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
        // Folders of the rolled-back page don't exist.
        knownFolders.clear();
        throw error;
      }
    },

    addPendingAborts: (jobId) => {
      const ids = idsOf(jobId);
      if (ids)
        transaction(() =>
          run(
            `INSERT OR IGNORE INTO owed_aborts (job_id, key, upload_id)
             SELECT ?, ${keyColumn}, f.upload_id
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
        const doneByJob = new Map<number, Done>();
        for (const { fileId, part, etag = null, comparedBy = null } of confirmations) {
          const plan = Math.floor(fileId / idsOfPlan);
          if (!part) doneByJob.set(plan, sum(doneByJob.get(plan), setDone(fileId, etag, comparedBy)));
          else
            run(
              'INSERT OR REPLACE INTO parts (file_id, number, size, etag, crc32) VALUES (?, ?, ?, ?, ?)',
              ...[fileId, part.number, part.size, part.etag, part.crc32 ?? null],
            );
        }
        for (const [plan, counts] of doneByJob) countDone(plan, counts);
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
           SELECT p.job_id, ${keyColumn}, f.upload_id
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
