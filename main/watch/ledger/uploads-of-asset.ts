import { join } from 'node:path';
import type { RuleUpload } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import type { Ledger } from './ledger-model.ts';

type Rules = readonly Pick<WatchRule, 'id' | 'accountId' | 'folder'>[];
type Rows = Pick<Ledger, 'receiptsOf' | 'receivedAssets' | 'ofJob'>;

/**
 * Which sources of watched folders became this asset. A receipt of an earlier version does not name its
 * account: its rule does, and where that is gone any account may be meant.
 */
export function ruleUploadsOf(
  ledger: Rows,
  rules: Rules,
  accountId: string,
  assetId: number,
): readonly RuleUpload[] {
  return ledger.receiptsOf(assetId).flatMap((receipt) => {
    const { jobId, ruleId, ruleName, source, takenAt, uploadedAt, endedAt, outcome, files } = receipt;
    const rule = rules.find(({ id }) => id === ruleId);
    if ((receipt.accountId ?? rule?.accountId ?? accountId) !== accountId) return [];
    const movedTo = ledger.ofJob(jobId)?.movedTo ?? null;
    // What arrived together lies among the rest.
    const below = source.startsWith('./') ? '.' : source;
    const path = movedTo ?? (rule ? join(rule.folder, below) : null);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    return [
      { jobId, ruleName, source, path, takenAt, uploadedAt, endedAt, outcome, files: files.length, bytes },
    ];
  });
}

/** Ids of the assets that receipts know, of this account as far as that can be told. */
export function ruleAssetsOf(ledger: Rows, rules: Rules, accountId: string): readonly number[] {
  const accountOf = new Map(rules.map((rule) => [rule.id, rule.accountId]));
  const own = ledger
    .receivedAssets()
    .filter((made) => (made.accountId ?? accountOf.get(made.ruleId) ?? accountId) === accountId);
  return [...new Set(own.map(({ assetId }) => assetId))];
}
