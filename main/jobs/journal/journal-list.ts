import type { Queries } from './database.ts';
import type { HeldJob, Journal } from './journal-model.ts';
import { heldRow, jobRow, madeRow, placeRow } from './journal-rows.ts';

/** What a person does with the list of jobs: its order, what is off it, and what has become of sources. */

/** Of one account and another together; the oldest go. */
const maxMade = 10_000;

/** The order of jobs, in the journal. */
export function orderOf({ run, read, transaction }: Queries): Pick<Journal, 'places' | 'setPlaces'> {
  return {
    places: () =>
      new Map(
        read(placeRow, 'SELECT id, place FROM jobs WHERE removed IN (0, 3)').map(({ id, place }) => [
          id,
          place,
        ]),
      ),
    setPlaces: (places) =>
      transaction(() => {
        for (const [id, place] of places) run('UPDATE jobs SET place = ? WHERE id = ?', place, id);
      }),
  };
}

/** Jobs that are off the list and still there. */
export function removalsOf({
  run,
  read,
  transaction,
}: Queries): Pick<Journal, 'holdJobs' | 'heldJobs' | 'bringBack'> {
  return {
    holdJobs: (ids, at) =>
      transaction(() => {
        for (const id of ids)
          run('UPDATE jobs SET removed = 3, removed_at = ? WHERE id = ? AND removed = 0', at, id);
      }),
    heldJobs: () => {
      const times = new Map(
        read(heldRow, 'SELECT id, removed_at FROM jobs WHERE removed = 3').map((row) => [
          row.id,
          row.removed_at,
        ]),
      );
      return read(jobRow, 'SELECT * FROM jobs WHERE removed = 3 ORDER BY rowid').map(
        (record): HeldJob => ({ record, removedAt: times.get(record.id) ?? 0 }),
      );
    },
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
    setFingerprint: (jobId, fingerprint) =>
      transaction(() => run('UPDATE jobs SET fingerprint = ? WHERE id = ?', fingerprint, jobId)),
    noteMade: (jobId, assetId, at) =>
      transaction(() => {
        run(
          `INSERT OR REPLACE INTO assets_made (account_id, fingerprint, asset_id, at)
           SELECT account_id, fingerprint, ?, ? FROM jobs WHERE id = ? AND fingerprint IS NOT NULL`,
          assetId,
          at,
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
        'SELECT asset_id, at FROM assets_made WHERE account_id = ? AND fingerprint = ?',
        accountId,
        fingerprint,
      )[0],
    madeAssets: (accountId) =>
      read(madeRow, 'SELECT asset_id, at FROM assets_made WHERE account_id = ?', accountId).map(
        ({ assetId }) => assetId,
      ),
  };
}
