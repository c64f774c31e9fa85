import { z } from 'zod';
import type { Queries } from '../../../jobs/journal/database.ts';
import type { Ledger, ReceivedAsset } from './ledger-model.ts';
import { receiptRow } from './ledger-rows.ts';

/** Must equal the index `receipts_of_asset`, so that SQLite uses it. */
const assetOf = "CASE WHEN json_valid(receipt) THEN receipt ->> '$.assetId' END";
const maxOfAsset = 20;

const jobOf = z.object({ job_id: z.string() });
const receivedRow = z
  .object({ asset_id: z.number(), account_id: z.string().nullable().catch(null) })
  .transform((row): ReceivedAsset => ({ assetId: row.asset_id, accountId: row.account_id }));

/** Queries receipts by asset. */
export function createAssetReceipts({ read }: Queries): Pick<Ledger, 'receiptsOf' | 'receivedAssets'> {
  return {
    receiptsOf: (assetId) => {
      const where = `FROM receipts WHERE ${assetOf} = ? ORDER BY ended_at DESC, seq DESC LIMIT ${maxOfAsset}`;
      const jobs = read(jobOf, `SELECT job_id ${where}`, assetId);
      return read(receiptRow, `SELECT * ${where}`, assetId).flatMap(({ receipt }, index) => {
        const jobId = jobs[index]?.job_id;
        return jobId === undefined ? [] : [{ ...receipt, jobId }];
      });
    },
    receivedAssets: () =>
      read(
        receivedRow,
        `SELECT DISTINCT ${assetOf} AS asset_id, receipt ->> '$.accountId' AS account_id
         FROM receipts WHERE typeof(${assetOf}) = 'integer'`,
      ),
  };
}
