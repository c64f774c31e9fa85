import { join } from 'node:path';
import { z } from 'zod';
import type { Queries } from '../../../jobs/journal/database.ts';
import type { RuleUpload } from '../../model/model.ts';
import type { WatchRule } from '../../model/rule.ts';
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

type Rules = readonly Pick<WatchRule, 'id' | 'folder'>[];
type Rows = Pick<Ledger, 'receiptsOf' | 'receivedAssets' | 'ofJob'>;

/** Returns the sources that became this asset. */
export function ruleUploadsOf(
  ledger: Rows,
  rules: Rules,
  accountId: string,
  assetId: number,
): readonly RuleUpload[] {
  return ledger.receiptsOf(assetId).flatMap((receipt) => {
    const { jobId, ruleId, ruleName, source, takenAt, uploadedAt, endedAt, outcome, files } = receipt;
    const rule = rules.find(({ id }) => id === ruleId);
    if (receipt.accountId !== accountId) return [];
    const movedTo = ledger.ofJob(jobId)?.movedTo ?? null;
    const relativePath = source.startsWith('./') ? '.' : source;
    const path = movedTo ?? (rule ? join(rule.folder, relativePath) : null);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    return [
      { jobId, ruleName, source, path, takenAt, uploadedAt, endedAt, outcome, files: files.length, bytes },
    ];
  });
}

/** Returns the IDs of this account's assets with receipts. */
export function ruleAssetsOf(ledger: Rows, accountId: string): readonly number[] {
  const accountAssets = ledger.receivedAssets().filter((asset) => asset.accountId === accountId);
  return [...new Set(accountAssets.map(({ assetId }) => assetId))];
}
