import type { Queries } from './database.ts';
import type { Journal } from './journal-model.ts';
import { assetRow, heldRow, madeRow } from './journal-rows.ts';

/** Limit for all accounts together; the oldest are dropped. */
const maxMade = 10_000;

/** The order and the names of jobs. */
export function orderOf({ run, transaction }: Queries): Pick<Journal, 'setPlaces' | 'setBody'> {
  return {
    setPlaces: (places) =>
      transaction(() => {
        for (const [id, place] of places) run('UPDATE jobs SET place = ? WHERE id = ?', place, id);
      }),
    setBody: (jobId, body) =>
      transaction(() => run('UPDATE jobs SET body = ? WHERE id = ?', JSON.stringify(body), jobId)),
  };
}

/** Removed jobs that can be restored. */
export function removalsOf({
  run,
  read,
  transaction,
}: Queries): Pick<Journal, 'holdJobs' | 'heldJobs' | 'bringBack'> {
  return {
    holdJobs: (ids, removedAt) => {
      const heldIds: string[] = [];
      transaction(() => {
        for (const id of ids) {
          const isHeld = run(
            'UPDATE jobs SET removed = 3, removed_at = ? WHERE id = ? AND removed = 0 AND ended_at IS NOT NULL',
            removedAt,
            id,
          );
          if (isHeld) heldIds.push(id);
        }
      });
      return heldIds;
    },
    heldJobs: () => read(heldRow, 'SELECT id, removed_at FROM jobs WHERE removed = 3 ORDER BY rowid'),
    bringBack: (ids) =>
      transaction(() => {
        for (const id of ids)
          run('UPDATE jobs SET removed = 0, removed_at = NULL WHERE id = ? AND removed = 3', id);
      }),
  };
}

/** Which sources became which assets. */
export function madeAssetsOf({
  run,
  read,
  transaction,
}: Queries): Pick<Journal, 'setFingerprint' | 'noteMade' | 'madeOf' | 'madeAssets'> {
  return {
    setFingerprint: (jobId, fingerprint, changes) =>
      transaction(() =>
        run(
          'UPDATE jobs SET fingerprint = ?, changes_in_short = ? WHERE id = ?',
          fingerprint,
          changes && JSON.stringify(changes),
          jobId,
        ),
      ),
    noteMade: (jobId, assetId, completedAt) =>
      transaction(() => {
        run(
          `INSERT OR REPLACE INTO assets_made (account_id, fingerprint, asset_id, at, changes)
           SELECT account_id, fingerprint, ?, ?, changes_in_short FROM jobs WHERE id = ? AND fingerprint IS NOT NULL`,
          assetId,
          completedAt,
          jobId,
        );
        run(
          `DELETE FROM assets_made WHERE (account_id, fingerprint) IN
             (SELECT account_id, fingerprint FROM assets_made ORDER BY at DESC LIMIT -1 OFFSET ?)`,
          maxMade,
        );
      }),
    madeOf: (accountId, fingerprint) =>
      read(
        madeRow,
        'SELECT asset_id, at, changes FROM assets_made WHERE account_id = ? AND fingerprint = ?',
        accountId,
        fingerprint,
      )[0],
    madeAssets: (accountId) =>
      read(assetRow, 'SELECT asset_id FROM assets_made WHERE account_id = ?', accountId),
  };
}
