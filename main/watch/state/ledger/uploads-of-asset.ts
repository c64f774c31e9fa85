import { join } from 'node:path';
import type { RuleUpload } from '../../model/model.ts';
import type { WatchRule } from '../../model/rule.ts';
import type { Ledger } from './ledger-model.ts';

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
