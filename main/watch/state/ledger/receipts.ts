import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { createQueries, type Queries } from '../../../jobs/journal/database.ts';
import type { LedgerEntry, Receipt, RuleUpload } from '../../model/model.ts';
import { receiptRecord } from '../../model/records.ts';
import type { WatchRule } from '../../model/rule.ts';

export const receiptRow = z
  .object({ seq: z.number(), job_id: z.string(), ended_at: z.number(), receipt: z.string() })
  .transform((row) => ({
    seq: row.seq,
    jobId: row.job_id,
    endedAt: row.ended_at,
    receipt: receiptRecord.parse(JSON.parse(row.receipt)),
  }));

/** Must equal the index `receipts_of_asset`, so that SQLite uses it. */
const assetOf = "CASE WHEN json_valid(receipt) THEN receipt ->> '$.assetId' END";
const maxOfAsset = 20;

const receivedRow = z
  .object({ asset_id: z.number(), account_id: z.string().nullable().catch(null) })
  .transform((row) => ({ assetId: row.asset_id, accountId: row.account_id }));

/** The permanent records of finished sources. */
export function createReceipts(queries: Queries) {
  const { read, run, transaction } = queries;
  return {
    /** Replaces an earlier receipt of the job. */
    addReceipt: (receipt: Receipt, jobId: string) =>
      transaction(() =>
        run(
          `INSERT INTO receipts (job_id, rule_id, ended_at, receipt) VALUES (?, ?, ?, ?)
           ON CONFLICT (job_id) DO UPDATE SET ended_at = excluded.ended_at, receipt = excluded.receipt`,
          ...[jobId, receipt.ruleId, receipt.endedAt, JSON.stringify(receipt)],
        ),
      ),
    receiptOf: (jobId: string): Receipt | undefined =>
      read(receiptRow, 'SELECT * FROM receipts WHERE job_id = ?', jobId)[0]?.receipt,
    /** Null: all rules. Newest first, read lazily. */
    receipts: (ruleId: string | null) => readReceipts(queries, ruleId),
    /** From any service, newest first; at most 20. */
    receiptsOf: (assetId: number) => {
      const query = `SELECT * FROM receipts WHERE ${assetOf} = ?
        ORDER BY ended_at DESC, seq DESC LIMIT ${maxOfAsset}`;
      return read(receiptRow, query, assetId).map(({ receipt, jobId }) => ({ ...receipt, jobId }));
    },
    /** The account is null if the receipt is damaged. */
    receivedAssets: () =>
      read(
        receivedRow,
        `SELECT DISTINCT ${assetOf} AS asset_id, receipt ->> '$.accountId' AS account_id
         FROM receipts WHERE typeof(${assetOf}) = 'integer'`,
      ),
  };
}

type Rules = readonly Pick<WatchRule, 'id' | 'folder'>[];
type AssetReceipts = Pick<ReturnType<typeof createReceipts>, 'receiptsOf' | 'receivedAssets'>;

/** Returns the sources that became this asset. */
export function ruleUploadsOf(
  ledger: AssetReceipts & { ofJob(jobId: string): Pick<LedgerEntry, 'movedTo'> | undefined },
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
export function ruleAssetsOf(ledger: AssetReceipts, accountId: string): readonly number[] {
  const accountAssets = ledger.receivedAssets().filter((asset) => asset.accountId === accountId);
  return [...new Set(accountAssets.map(({ assetId }) => assetId))];
}

/** The receipts of a read-only journal, as the ledger's. */
export function receiptsIn(database: DatabaseSync, path: string, ruleId: string | null): Iterable<Receipt> {
  return readReceipts(createQueries(database, path), ruleId);
}

/** One at a time: a receipt of 100,000 files is 10 MB, and a slow reader must not delay the journal. */
function* readReceipts({ read }: Queries, ruleId: string | null): Iterable<Receipt> {
  let cursor: readonly [endedAt: number, seq: number] = [Number.MAX_VALUE, Number.MAX_SAFE_INTEGER];
  for (;;) {
    const ofRule = ruleId === null ? '' : 'rule_id = ? AND ';
    const [row] = read(
      receiptRow,
      `SELECT * FROM receipts WHERE ${ofRule}(ended_at, seq) < (?, ?) ORDER BY ended_at DESC, seq DESC LIMIT 1`,
      ...(ruleId === null ? [] : [ruleId]),
      ...cursor,
    );
    if (!row) return;
    yield row.receipt;
    cursor = [row.endedAt, row.seq];
  }
}
